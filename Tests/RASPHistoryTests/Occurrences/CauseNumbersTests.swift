import RASPTesting
import Streams
import TestSupport
import Testing

@testable import RASPHistory

@Suite("The numbers of causes")
struct CauseNumbersTests {
  private static let lastNumber = 1 << 40 - 1

  @Test("a lane has 24 bits and a number 40; what does not fit is unknown")
  func limits() {
    let largest = Cause(lane: 1 << 24 - 1, number: Self.lastNumber)
    #expect(largest.rawValue == .max)
    #expect(largest.lane == 1 << 24 - 1 && largest.number == Self.lastNumber)
    for cause in [
      Cause(lane: 1 << 24, number: 1), Cause(lane: 1, number: Self.lastNumber + 1), Cause(lane: -1, number: 1),
      Cause(lane: 1, number: -1), Cause(lane: 0, number: 1), Cause(lane: .max, number: .max),
    ] { #expect(cause == .unknown) }
    #expect(Cause(lane: 3, wideNumber: 7) == Cause(lane: 3, number: 7))
    #expect(Cause(lane: 1 << 24, wideNumber: 7) == nil && Cause(lane: 3, wideNumber: 1 << 40) == nil)
  }

  @Test("numbers of lanes are given once, and when there are none left, all are 0")
  func lanes() {
    let lanes = CauseLanes(after: 1 << 24 - 3)
    #expect((0..<5).map { _ in lanes.next() } == [1 << 24 - 2, 1 << 24 - 1, 0, 0, 0])
  }

  @Test("a number without a lane is unknown where it is carried")
  func withoutLane() {
    Cause(rawValue: 5).perform { #expect(Cause.current == .unknown) }
    Cause(lane: 2, number: 5).perform { #expect(Cause.current == Cause(lane: 2, number: 5)) }
  }

  @Test("an occurrence behind the last number of a lane has no identity, and is there with its number")
  func occurrences() {
    let newest = Self.lastNumber - 2
    let tape = OccurrenceTape(lane: 3, after: newest, as: "tape", last: 8, clock: TapeClock(VirtualScheduler()))
    let identities = (0..<4).map { tape.note(.execution, $0, by: .unknown, ending: nil).cause }
    #expect(identities == [1, 0].map { Cause(lane: tape.lane, number: Self.lastNumber - $0) } + [.unknown, .unknown])
    for identity in identities { tape.noteEnd(of: CarriedCause(identity), .handled) }
    #expect(tape.occurrences.map(\.number) == (-1...2).map { Self.lastNumber + $0 })
    #expect(tape.occurrences.map { $0.end != nil } == [true, true, false, false])
  }
}
