import Aggregate
import Streams
import TestSupport
import Testing

@testable import RASPJournal

@Suite("A recording that is written and read")
struct RoundTripTests {
  @Test("FILE-01: JSON: name, lane, states, numbers, causes and times are as they were")
  func json() throws {
    let recording = Recording<BoatState>.folding(
      [
        .heading(359.5), .position(latitude: -0.0, longitude: .infinity), .silence,
        .crew(["Ada": 1, "Grace\n\"": 2], aboard: ["Ada", "Linus"]), .heading(.leastNonzeroMagnitude),
        .heading(0.1 + 0.2),
      ],
      into: BoatState(heading: -.infinity),
      first: 1_200
    )
    let read = try Recording<BoatState>(recording.bytes(coding: .codable), coding: .codable)
    #expect(Content(read) == Content(recording))
  }

  @Test("numbers that are not a number stay so")
  func notANumber() throws {
    let recording = Recording<BoatState>.folding([.heading(.nan)], into: BoatState())
    let read = try Recording<BoatState>(recording.bytes(coding: .codable), coding: .codable)
    #expect(read.state.heading?.isNaN == true)
    guard case .heading(let heading)? = read.entries.first?.event else { return #expect(Bool(false)) }
    #expect(heading.isNaN)
  }

  @Test("without events, and without the state before them", arguments: [true, false], [0, 1])
  func edges(hasInitial: Bool, count: Int) throws {
    let all = Recording<Total>.folding(Array([.add(5)].prefix(count)), into: Total())
    let recording = Recording(
      name: "",
      lane: 0,
      initial: hasInitial ? all.initial : nil,
      entries: all.entries,
      state: all.state
    )
    let read = try Recording<Total>(recording.bytes(coding: .byHand), coding: .byHand)
    #expect(Content(read) == Content(recording))
  }

  @Test("FILE-01: times and numbers at the edges of what they can be")
  func extremes() throws {
    let times: [Duration] = [
      .zero, .microseconds(-5), .microseconds(Int64.max), .microseconds(Int64.min), .microseconds(1), .seconds(1),
    ]
    let numbers = [1, 2, 3, .max, .min, -1]
    let causes = [
      Cause(lane: 1 << 24 - 1, number: 1 << 40 - 1), Cause(lane: 1, number: 0), .unknown, Cause(lane: 2, number: 7),
      .unknown,
      Cause(lane: 1, number: 1),
    ]
    let entries = zip(zip(times, numbers), causes).map { pair, cause in
      Recording<Total>.Entry(number: pair.1, event: .add(Int64(pair.1)), cause: cause, time: pair.0)
    }
    let recording = Recording(name: "x", lane: .min, initial: nil, entries: entries, state: Total())
    #expect(Content(try Recording<Total>(recording.bytes(coding: .byHand), coding: .byHand)) == Content(recording))
  }

  @Test("a time is kept to the microsecond, and a longer one than 292,000 years is cut")
  func precision() throws {
    let times: [Duration] = [.nanoseconds(1_999), .seconds(Int64.max), .seconds(Int64.min), .nanoseconds(-1_999)]
    let entries = times.enumerated().map { Recording<Total>.Entry(number: $0, event: .add(0), time: $1) }
    let recording = Recording(name: "x", initial: nil, entries: entries, state: Total())
    let read = try Recording<Total>(recording.bytes(coding: .byHand), coding: .byHand)
    #expect(
      read.entries.map(\.time)
        == [.microseconds(1), .microseconds(Int64.max), .microseconds(Int64.min), .microseconds(-1)]
    )
  }

  @Test("FILE-01: random recordings, in batches of random size")
  func random() throws {
    var random = SplitMix(seed: 16)
    for _ in 0..<rounds(2_000) {
      var state = Total()
      var number = Int.random(in: 0...1_000_000, using: &random)
      var entries: [Recording<Total>.Entry] = []
      for _ in 0..<Int.random(in: 0...60, using: &random) {
        let word = String(repeating: "é", count: Int.random(in: 0...40, using: &random))
        let event: TotalEvent =
          Bool.random(using: &random) ? .add(.random(in: .min ... .max, using: &random)) : .word(word)
        state.apply(event)
        let cause = Cause(rawValue: .random(in: .min ... .max, using: &random))
        entries.append(
          Recording.Entry(
            number: number,
            event: event,
            cause: cause.lane == 0 || Bool.random(using: &random) ? .unknown : cause,
            time: .microseconds(Int64.random(in: -1_000_000...1_000_000_000_000, using: &random))
          )
        )
        number += Int.random(in: 0...9, using: &random) == 0 ? Int.random(in: 0...3, using: &random) : 1
      }
      let recording = Recording(name: "r", lane: 1, initial: Total(), entries: entries, state: state)
      let limit = Int.random(in: 1...400, using: &random)
      let read = try Recording<Total>(recording.bytes(coding: .byHand, batchLimit: limit), coding: .byHand)
      #expect(Content(read) == Content(recording))
    }
  }

  @Test("an event takes its payload and at most eight bytes, and 40 for each batch")
  func size() throws {
    let events = (0..<10_000).map { TotalEvent.add(Int64($0)) }
    var state = Total()
    let entries = events.enumerated().map { index, event in
      state.apply(event)
      return Recording<Total>.Entry(
        number: 1_000_000 + index,
        event: event,
        cause: Cause(lane: 2, number: 1_000_000 + index - 3),
        time: .milliseconds(index * 3)
      )
    }
    let recording = Recording(name: "r", lane: 1, initial: Total(), entries: entries, state: state)
    let bytes = try recording.bytes(coding: .byHand)
    #expect(bytes.count <= 64 + 2 * 40 + 200 + 10_000 * (9 + 8))
  }

  @Test("an event that is longer than a batch has one of its own")
  func long() throws {
    let word = String(repeating: "x", count: 3 << 20)
    let recording = Recording<Total>.folding([.add(1), .word(word), .add(2)], into: Total())
    #expect(Content(try Recording<Total>(recording.bytes(coding: .byHand), coding: .byHand)) == Content(recording))
  }
}
