import Aggregate
import AggregateTestSupport
import RASPTesting
import Streams
import TestSupport
import Testing

@testable import RASPHistory

@Suite("The numbers and wall times of a recording")
struct NumberTests {
  private func recording(_ numbers: [Int]) -> Recording<NumberSum> {
    let entries = numbers.enumerated().map { Recording<NumberSum>.Entry(number: $1, event: $0 + 1) }
    return Recording(
      name: "sum",
      initial: NumberSum(),
      entries: entries,
      state: NumberSum(numbers: entries.map(\.event))
    )
  }

  @Test("REC-12: an entry is found by its number, also where numbers are missing or repeat")
  func search() {
    var generator = SplitMix(seed: 12)
    for _ in 0..<rounds(2_000) {
      var number = Int.random(in: -3...3, using: &generator)
      let numbers = (0..<Int.random(in: 0...12, using: &generator)).map { _ in
        number += Int.random(in: 0...2, using: &generator)
        return number
      }
      let recording = recording(numbers)
      for number in -5...30 {
        #expect(recording[number]?.event == recording.entries.first { $0.number == number }?.event, "\(numbers)")
      }
    }
  }

  @Test("REC-12: an event of an older version that became several is folded as a whole, or not at all")
  func repeats() {
    let recording = recording([4, 6, 6, 9])
    #expect(recording.state(before: 6)?.numbers == [1])
    #expect(recording.state(after: 6)?.numbers == [1, 2, 3])
    #expect(recording.state(after: 9)?.numbers == [1, 2, 3, 4])
    #expect(recording.state(before: 5) == nil && recording.state(after: 7) == nil)
    #expect(recording[.min] == nil && recording[.max] == nil)
  }

  @Test("REC-13: a recording in real time knows when its events happened, and one in virtual time does not")
  func wallTimes() throws {
    let sum = Aggregator(initial: NumberSum())
    let real = AggregatorTape(of: sum, as: "sum", last: 9, keepingBase: true, clock: TapeClock(.suspending))
    defer { real.end() }
    sum.send(1)
    let recording = real.recording
    let origin = try #require(recording.clockOrigin)
    let entry = try #require(recording.entries.first)
    #expect(recording.wallTime(of: entry) == origin + entry.time)
    // That it is a time of these years is all that a test can tell.
    #expect(origin + entry.time > .seconds(1_700_000_000))
    #expect(recording.suffix(from: .zero).clockOrigin == origin)
    let plain = Redaction<NumberSum> {
      $0
    } event: {
      $0
    }
    #expect(recording.redacted(by: plain).clockOrigin == origin)
    #expect(recording.redacted(by: plain).duration == recording.duration)

    let virtual = Aggregator(initial: NumberSum())
    #expect(TapeRecorder(virtual).recording.clockOrigin == nil)
  }
}

private struct NumberSum: AggregateState, Equatable {
  var numbers: [Int] = []

  mutating func apply(_ number: Int) { numbers.append(number) }
}
