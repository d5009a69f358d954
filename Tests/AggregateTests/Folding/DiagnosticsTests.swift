import Aggregate
import AggregateTestSupport
import RASPTesting
import Streams
import TestSupport
import Testing

/// Mistakes inside `apply` are reported, most of them in debug builds alone, and harmless in all.
@Suite("Diagnostics")
struct DiagnosticsTests {
  /// What a debug build reports; a release build looks for nothing.
  private func reported(_ diagnostics: AggregatorDiagnostic...) -> [AggregatorDiagnostic] {
    #if DEBUG
      diagnostics
    #else
      []
    #endif
  }

  @Test("AGG-04: sending from inside apply is noted in debug")
  func sentDuringApply() {
    let aggregator = Aggregator(initial: Scripted())
    let diagnostics = Recorder(aggregator.diagnostics)

    aggregator.run { _ in aggregator.run { $0.value = 1 } }

    #expect(aggregator.snapshot.value == 1)
    #expect(diagnostics.values == reported(.sentDuringApply))
  }

  @Test("AGG-04: sending from inside an apply that may throw is noted just the same")
  func sentDuringThrowingApply() {
    let aggregator = Aggregator(initial: GuardedScript())
    let diagnostics = Recorder(aggregator.diagnostics)

    aggregator.send(
      GuardedScript.Step { _ in
        aggregator.send(GuardedScript.Step { $0.value = 1 })
      }
    )

    #expect(aggregator.snapshot.value == 1)
    #expect(diagnostics.values == reported(.sentDuringApply))
  }

  @Test("Sending from a subscriber is no mistake, nor is sending from one thread while another folds")
  func noFalseAlarm() async {
    let aggregator = Aggregator(initial: Scripted())
    let diagnostics = Recorder(aggregator.diagnostics)
    let sender = Recorder(aggregator.states.map(\.value)) { event in
      if case .value(1) = event { aggregator.run { $0.value += 1 } }
    }
    let gate = Gate(patience: longestWait)

    aggregator.run { $0.value = 1 }
    await Threads.run {
      aggregator.run { _ in gate.hold() }
    } _: {
      gate.waitUntilHeld()
      aggregator.run { $0.value += 1 }
      gate.open()
    }

    #expect(sender.values.last == 3)
    #expect(diagnostics.values.isEmpty)
  }

  @Test("Reading the snapshot from inside apply gives the initial state and is noted once; nothing waits or traps")
  func readDuringApply() {
    let aggregator = Aggregator(initial: Scripted())
    let diagnostics = Recorder(aggregator.diagnostics)
    let read = Log<Int>()
    aggregator.run { $0.value = 5 }

    aggregator.run { state in
      state.value = 6
      read.note(aggregator.snapshot.value)
      read.note(aggregator.select(\.value).current)
    }

    #expect(read.entries == [0, 0])
    #expect(aggregator.snapshot.value == 6)
    #expect(diagnostics.values == [.readDuringApply])
  }

  @Test("A read from inside apply is noted in every build, once, and not before there is a subscriber to be told")
  func readDuringEachApply() {
    let aggregator = Aggregator(initial: Scripted())
    let read: @Sendable (inout Scripted) -> Void = { [unowned aggregator] state in
      _ = aggregator.snapshot
      state.value += 1
    }
    for _ in 0..<3 { aggregator.run(read) }
    let first = Recorder(aggregator.diagnostics)
    for _ in 0..<3 { aggregator.run(read) }
    let second = Recorder(aggregator.diagnostics)
    for _ in 0..<3 { aggregator.run(read) }

    #expect(first.values == [.readDuringApply])
    #expect(second.values.isEmpty)
    #expect(aggregator.snapshot.value == 9)
  }

  @Test(
    "A state that can throw is changed in a copy: a read from inside apply gets the state before the event"
  )
  func readDuringThrowingApply() {
    let aggregator = Aggregator(initial: GuardedScript())
    let diagnostics = Recorder(aggregator.diagnostics)
    let read = Log<Int>()
    aggregator.send(GuardedScript.Step { $0.value = 5 })

    aggregator.send(
      GuardedScript.Step { state in
        state.value = 6
        read.note(aggregator.snapshot.value)
      }
    )

    #expect(read.entries == [5])
    #expect(aggregator.snapshot.value == 6)
    #expect(diagnostics.values.isEmpty)
  }

  #if DEBUG
    @Test("Two applies that read each other's aggregator are found before they wait: one reads the initial state")
    func readEachOther() {
      for _ in 0..<rounds(5_000) {
        let aggregators = [Aggregator(initial: Scripted()), Aggregator(initial: Scripted())]
        let diagnostics = aggregators.map { Recorder($0.diagnostics) }
        let (inside, read) = (Counter(), Log<Int>())

        Threads.run(count: 2) { thread in
          aggregators[thread].run { state in
            state.value = 1
            inside.increment()
            block { inside.value == 2 }
            read.note(aggregators[1 - thread].snapshot.value)
          }
        }

        #expect(read.entries.sorted() == [0, 1])
        #expect(diagnostics.flatMap(\.values) == [.readDuringApply])
        #expect(aggregators.map(\.snapshot.value) == [1, 1])
      }
    }
  #endif

  @Test("A read of another aggregator is not noted if that one waits for nothing, inside of apply and outside")
  func readThatMayWait() {
    let first = Aggregator(initial: Scripted())
    let second = Aggregator(initial: Scripted())
    let diagnostics = Recorder(first.diagnostics)
    let read = Log<Int>()
    let gate = Gate(patience: longestWait)

    second.run { _ in read.note(first.snapshot.value) }
    Threads.run(
      {
        first.run { state in
          state.value = 1
          gate.hold()
        }
      },
      {
        gate.waitUntilHeld()
        second.run { _ in
          gate.open()
          read.note(first.snapshot.value)
        }
        read.note(first.snapshot.value)
      }
    )

    #expect(read.entries == [0, 1, 1])
    #expect(diagnostics.values.isEmpty)
  }

  @Test("A subscriber to diagnostics may read the snapshot: it runs after the event, not inside apply")
  func diagnosticsReadsSnapshot() {
    let aggregator = Aggregator(initial: Scripted())
    let read = Log<Int>()
    let calls = Counter()
    // Bounded, so that a loop shows as a wrong number and not as a hang.
    let diagnostics = Recorder(aggregator.diagnostics) { _ in
      if calls.increment() < 5 { read.note(aggregator.snapshot.value) }
    }

    aggregator.run { state in
      _ = aggregator.snapshot
      state.value = 7
    }

    #expect(read.entries == [7])
    #expect(diagnostics.values == [.readDuringApply])
  }

  @Test("A subscriber to diagnostics may send: it is folded behind what was sent before")
  func diagnosticsSends() {
    let aggregator = Aggregator(initial: Scripted())
    let calls = Counter()
    let diagnostics = Recorder(aggregator.diagnostics) { _ in
      if calls.increment() < 5 { aggregator.run { $0.value += 100 } }
    }

    aggregator.run { _ in aggregator.run { $0.value += 1 } }

    #expect(diagnostics.values == reported(.sentDuringApply))
    #expect(aggregator.snapshot.value == 1 + 100 * diagnostics.values.count)
  }

  @Test("Diagnostics end with the aggregator, and each says what it means and what to do")
  func descriptions() {
    let aggregator = Aggregator(initial: Scripted())
    let diagnostics = Recorder(aggregator.diagnostics)
    aggregator.finish()

    #expect(diagnostics.ends.count == 1)
    #expect("\(AggregatorDiagnostic.sentDuringApply)".contains("apply"))
    #expect("\(AggregatorDiagnostic.readDuringApply)".contains("use `self`"))
    #expect("\(AggregatorDiagnostic.impureSelector(field: "Int"))".contains("selector of Int"))
  }
}
