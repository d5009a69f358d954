import RASPSupport
import RASPTesting
import Streams
import TestSupport
import Testing

@testable import RASPHistory

/// Counts how many of it there are.
private final class Marked: Sendable {
  let number: Int
  private let alive: Counter

  init(_ number: Int, _ alive: Counter) {
    (self.number, self.alive) = (number, alive)
    alive.increment()
  }

  deinit { alive.decrement() }
}

private struct Small: Sendable {
  let number: Int
}

private struct Large: Sendable {
  let numbers: (Int, Int, Int, Int, Int, Int, Int, Int)
  let mark: Marked
}

private struct Watching: @unchecked Sendable {
  weak var mark: Marked?
  let number: Int
}

private enum Either: Sendable {
  case number(Int)
  case mark(Marked)
}

private struct Blame: Error {
  let mark: Marked
}

/// The number that a subject carries.
private func number(of subject: any Sendable) -> Int? {
  switch subject {
  case let subject as Small: subject.number
  case let subject as Marked: subject.number
  case let subject as Large: subject.numbers.7 == subject.mark.number ? subject.numbers.0 : nil
  case let subject as Watching: subject.number
  case .number(let number) as Either: number
  case .mark(let mark) as Either: mark.number
  case let subject as String: Int(subject.dropFirst(21))
  case let subject as [Marked]: subject.first?.number
  default: nil
  }
}

/// A tape, and beside it a list of what it should have.
private struct Pair {
  let recorders = OccurrenceHook()
  let tape: OccurrenceTape
  let alive = Counter()
  private var expected: [(kind: Occurrence.Kind, cause: Cause, end: Int?)] = []
  private let limit: Int

  init(limit: Int) {
    self.limit = limit
    tape = recorders.record(as: "tape", last: limit, clock: TapeClock(.suspending))
  }

  /// Notes something of a random type, which carries its number.
  mutating func note(_ random: inout SplitMix) {
    let number = expected.count + 1
    // What an event has ended.
    let ended = Bool.random(using: &random) ? Int.random(in: 1...number, using: &random) : nil
    let cause = CarriedCause(ended.map { Cause(lane: tape.lane, number: $0) } ?? .unknown)
    let kind: Occurrence.Kind = [.execution, .event, .action].randomElement(using: &random) ?? .event
    let outcome: Occurrence.Outcome? = ended.map { _ in .failed(Blame(mark: Marked(number, alive))) }
    let mark = Marked(number, alive)
    let identity: CarriedCause =
      switch Int.random(in: 0..<8, using: &random) {
      case 0: recorders.note(kind, Small(number: number), by: cause, ending: outcome)
      case 1: recorders.note(kind, mark, by: cause, ending: outcome)
      case 2:
        recorders.note(
          kind,
          Large(numbers: (number, 0, 0, 0, 0, 0, 0, number), mark: mark),
          by: cause,
          ending: outcome
        )
      case 3: recorders.note(kind, Watching(mark: mark, number: number), by: cause, ending: outcome)
      case 4: recorders.note(kind, Either.number(number), by: cause, ending: outcome)
      case 5: recorders.note(kind, Either.mark(mark), by: cause, ending: outcome)
      case 6: recorders.note(kind, "a long text, number: \(number)", by: cause, ending: outcome)
      default: recorders.note(kind, [mark] as any Sendable, by: cause, ending: outcome)
      }
    #expect(identity.cause == Cause(lane: tape.lane, number: number))
    if let ended { end(ended, by: number) }
    expected.append((kind, cause.cause, nil))
  }

  /// Notes the end of something that may have one, or have fallen off.
  mutating func noteEnd(_ random: inout SplitMix) {
    let number = Int.random(in: 0...expected.count + 1, using: &random)
    let code = expected.count
    recorders.noteEnd(
      of: CarriedCause(Cause(lane: tape.lane, number: number)),
      .failed(Blame(mark: Marked(code, alive)))
    )
    end(number, by: code)
  }

  private mutating func end(_ number: Int, by code: Int) {
    guard expected.indices.contains(number - 1), number > expected.count - limit, expected[number - 1].end == nil else {
      return
    }
    expected[number - 1].end = code
  }

  func check(_ seed: UInt64) {
    let occurrences = tape.occurrences
    let first = max(0, expected.count - limit)
    #expect(occurrences.map(\.number) == Array(first + 1..<expected.count + 1), "seed \(seed)")
    for (occurrence, expected) in zip(occurrences, expected[first...]) {
      #expect(number(of: occurrence.subject) == occurrence.number, "seed \(seed)")
      #expect(occurrence.kind == expected.kind && occurrence.cause == expected.cause, "seed \(seed)")
      let end: Int? = if case .failed(let blame as Blame)? = occurrence.end?.outcome { blame.mark.number } else { nil }
      #expect(end == expected.end, "seed \(seed): \(occurrence)")
    }
  }
}

@Suite("The tape of occurrences", .endsInTime)
struct OccurrenceTapeTests {
  @Test("it has the newest, of any type, as a list has them, and releases each once")
  func randomOccurrences() {
    for seed in 1...UInt64(rounds(2_000)) {
      var random = SplitMix(seed: seed)
      var pair = Pair(limit: Int.random(in: 1...200, using: &random))
      let checked = Int.random(in: 0..<300, using: &random)
      for step in 0..<300 {
        if Int.random(in: 0..<3, using: &random) == 0 { pair.noteEnd(&random) } else { pair.note(&random) }
        if step == checked { pair.check(seed) }
      }
      pair.check(seed)
      #expect(pair.alive.value <= pair.tape.occurrences.count * 2, "seed \(seed)")
      pair.recorders.end(pair.tape)
      #expect(pair.alive.value == 0, "seed \(seed)")
      #expect(pair.tape.occurrences.isEmpty)
    }
  }

  @Test("a subject whose release records something is released where the tape is not locked")
  func releaseRecords() {
    final class Recording: Sendable {
      let recorders: OccurrenceHook
      init(_ recorders: OccurrenceHook) { self.recorders = recorders }
      deinit { _ = recorders.note(.event, 1, by: .unknown) }
    }
    let recorders = OccurrenceHook()
    let tape = recorders.record(as: "tape", last: 1, clock: TapeClock(.suspending))
    _ = recorders.note(.event, Recording(recorders), by: .unknown)
    _ = recorders.note(.event, 0, by: .unknown)
    #expect(tape.occurrences.map(\.number) == [3])
    #expect(tape.occurrences.map { $0.subject as? Int } == [1])
    _ = recorders.note(.event, Recording(recorders), by: .unknown)
    recorders.end(tape)
    #expect(tape.occurrences.isEmpty)
  }

  @Test("while the tape is read others may record, and what they push off leaves no gap", arguments: [0, 1, 30, 200])
  func readingInPieces(count: Int) {
    let recorders = OccurrenceHook()
    let tape = recorders.record(as: "tape", last: 100, clock: TapeClock(.suspending))
    for _ in 1...150 { _ = recorders.note(.event, 0, by: .unknown) }
    // 51 to 150 are read in two pieces.
    let read = tape.occurrences { for _ in 0..<count { _ = recorders.note(.event, 0, by: .unknown) } }
    let first = [0: 51, 1: 51, 30: 51, 200: 151][count] ?? 0
    #expect(read.map(\.number) == Array(first..<151))
    recorders.end(tape)
  }

  @Test("the next recording goes on with lane and numbers, and keeps nothing of the one before")
  func nextRecording() {
    let recorders = OccurrenceHook()
    let alive = Counter()
    weak var clock: TapeClock?
    var lanes: [Int] = []
    for turn in 1...3 {
      let present = TapeClock(VirtualScheduler())
      let tape = recorders.record(as: "tape \(turn)", last: turn, clock: present)
      #expect(clock == nil)
      clock = present
      let older = CarriedCause(Cause(lane: tape.lane, number: 2 * turn - 2))
      _ = recorders.note(.event, Marked(1, alive), by: older, ending: .handled)
      _ = recorders.note(.event, Marked(2, alive), by: .unknown)
      #expect(tape.name == "tape \(turn)")
      #expect(tape.occurrences.map(\.number) == Array((2 * turn - 1...2 * turn).suffix(turn)))
      lanes.append(tape.lane)
      recorders.end(tape)
      #expect(alive.value == 0 && tape.occurrences.isEmpty)
      #expect(recorders.note(.event, 3, by: older) == older)
    }
    #expect(Set(lanes).count == 1)
  }

  @Test("a tape that is longer than any memory is made as long as it may be")
  func endless() {
    let recorders = OccurrenceHook()
    let tape = recorders.record(as: "tape", last: .max, clock: TapeClock(.suspending))
    for number in 1...1_000 { _ = recorders.note(.event, Small(number: number), by: .unknown) }
    #expect(tape.occurrences.count == 1_000)
    recorders.end(tape)
  }

  @Test("threads that record and one that reads: every number once, and each subject with its cause")
  func threads() async {
    for _ in 0..<rounds(100) {
      let recorders = OccurrenceHook()
      let alive = Counter()
      let tape = recorders.record(as: "tape", last: 64, clock: TapeClock(.suspending))
      let numbers = Log<Int>()
      await Threads.run(count: 4) { thread in
        if thread == 3 {
          for _ in 0..<20 {
            let found = tape.occurrences
            #expect(found.map(\.number) == found.indices.map { (found.first?.number ?? 0) + $0 })
            #expect(found.allSatisfy { number(of: $0.subject) == $0.cause.number })
          }
          return
        }
        for index in 1...200 {
          let number = thread * 1_000 + index
          let cause = CarriedCause(Cause(lane: 1 << 24 - 1, number: number))
          let identity =
            index.isMultiple(of: 2)
            ? recorders.note(.action, Marked(number, alive), by: cause)
            : recorders.note(.action, Small(number: number), by: cause)
          numbers.note(identity.cause.number)
        }
      }
      #expect(numbers.entries.sorted() == Array(1...600))
      recorders.end(tape)
      #expect(alive.value == 0)
    }
  }
}
