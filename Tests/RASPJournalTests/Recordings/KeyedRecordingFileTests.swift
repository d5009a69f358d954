import Aggregate
import RASPKeyed
import RASPSupport
import RASPTesting
import Streams
import TestSupport
import Testing

@testable import RASPJournal

private struct FileTick: Codable, Equatable, Sendable {
  let symbol: String
  let price: Int
}

private struct FileQuote: AggregateState, Codable, Equatable {
  var price = 0

  mutating func apply(_ tick: FileTick) { price = tick.price }
}

@Suite("A recording of rows as a file")
struct KeyedRecordingFileTests {
  @Test("REC-10: rows, steps and removals are written and read as any states and events")
  func rows() throws {
    let options = KeyedOptions(evicting: .beyond(2))
    let quotes = KeyedAggregator(by: \FileTick.symbol, initial: { _ in FileQuote() }, options: options)
    let clock = TapeClock(VirtualScheduler())
    let tape = AggregatorTape(of: quotes, as: "quotes", last: 9, keepingBase: true, clock: clock)
    defer { tape.end() }
    for (symbol, price) in [("A", 1), ("B", 2), ("A", 3), ("C", 4)] {
      quotes.send(FileTick(symbol: symbol, price: price))
    }
    quotes.insert(["D": FileQuote(price: 5)])
    quotes.remove("D")

    let recording = tape.recording
    #expect(recording.entries.count == 8)
    let read = try Recording<RecordedRows<String, FileQuote>>(recording.bytes(coding: .codable), coding: .codable)
    #expect(read.entries.map(\.event) == recording.entries.map(\.event))
    #expect(read.entries.map(\.number) == recording.entries.map(\.number))
    #expect(read.entries.map(\.cause) == recording.entries.map(\.cause))
    #expect(read.initial == recording.initial)
    #expect(read.state == recording.state)
    #expect(read.isReproduced)
    #expect(read.row(of: "A")?.state == FileQuote(price: 3))
  }

  @Test("REC-13: the wall time of the clock stays with a recording; an estimate of older files does not count")
  func clockOrigin() throws {
    let small = Recording<Total>.small
    let known = Recording(
      name: small.name,
      lane: small.lane,
      initial: small.initial,
      entries: small.entries,
      state: small.state,
      clockOrigin: .microseconds(1_700_000_000_123_456)
    )
    let read = try Recording<Total>(known.bytes(coding: .byHand), coding: .byHand)
    #expect(read.clockOrigin == .microseconds(1_700_000_000_123_456))
    #expect(Content(read) == Content(known))
    let plain = try Recording<Total>(small.bytes(coding: .byHand), coding: .byHand)
    #expect(plain.clockOrigin == nil)
    #expect(Content(plain) == Content(small))
  }
}
