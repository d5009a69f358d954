import RASPTesting
import Streams
import TestSupport
import Testing

/// `finish()` promises that what was accepted is delivered, and a later end takes nothing back.
@Suite("Ends that drop what waits", .endsInTime)
struct DroppingEndTests {
  /// Sends 0 to 3, and ends the subject twice, while 0 is delivered.
  private func run(
    ends first: Bool,
    _ second: Bool
  ) -> (delivered: [Int], answers: [Bool], dropped: Int, ends: Int) {
    let subject = Subject<Int, Never>()
    let answers = Log<Bool>()
    let recorder = Recorder(subject.observable) { event in
      guard case .value(0) = event else { return }
      for value in 1...3 { answers.note(subject.send(value)) }
      answers.note(first ? subject.finish(droppingPending: true) : subject.finish())
      answers.note(second ? subject.finish(droppingPending: true) : subject.finish())
    }
    subject.send(0)
    return (recorder.values, answers.entries, subject.droppedCount, recorder.ends.count)
  }

  @Test("LOAD-05: An end that drops, behind one that promises, drops nothing and answers false; else it drops")
  func order() {
    let promised = run(ends: false, true)
    #expect(promised.delivered == [0, 1, 2, 3])
    #expect(promised.answers == [true, true, true, true, false])
    #expect(promised.dropped == 0 && promised.ends == 1)
    let dropped = run(ends: true, false)
    #expect(dropped.delivered == [0])
    #expect(dropped.answers == [true, true, true, true, false])
    #expect(dropped.dropped == 3 && dropped.ends == 1)
  }

  @Test("Of two ends at once one is the first, and what it says becomes of what waits")
  func race() async {
    for round in 0..<rounds(3_000) {
      let subject = Subject<Int, Never>()
      let gate = Gate(patience: longestWait)
      let answers = (promising: Box<Bool>(), dropping: Box<Bool>())
      let recorder = Recorder(subject.observable) { event in
        if case .value(0) = event { gate.hold() }
      }
      let isReady = Flag()
      await Threads.run {
        subject.send(0)
      } _: {
        gate.waitUntilHeld()
        for value in 1...3 { subject.send(value) }
        isReady.raise()
        answers.promising.value = subject.finish()
        block { answers.dropping.value != nil }
        gate.open()
      } _: {
        block { isReady.isRaised }
        answers.dropping.value = subject.finish(droppingPending: true)
      }
      #expect(answers.promising.value != answers.dropping.value, "round \(round)")
      #expect(await eventually { recorder.ends.count == 1 })
      let isPromised = answers.promising.value == true
      #expect(recorder.values == (isPromised ? [0, 1, 2, 3] : [0]), "round \(round)")
      #expect(subject.droppedCount == (isPromised ? 0 : 3), "round \(round)")
    }
  }
}
