import Aggregate
import AggregateTestSupport
import RASPTesting
import Streams
import TestSupport
import Testing

@Suite("Snapshots")
struct SnapshotTests {
  @Test("AGG-01: a newcomer is given the current snapshot before subscribe returns, without the history")
  func currentFirst() {
    let aggregator = Aggregator(initial: Tally())
    aggregator.send(.add(1))
    aggregator.send(.add(1))

    let seen = Log<Int>()
    let token = aggregator.states.subscribe { seen.note($0.count) }
    defer { token.cancel() }
    #expect(seen.entries == [2])

    aggregator.send(.add(1))
    #expect(seen.entries == [2, 3])
  }

  @Test("AGG-01, REENT-04: who subscribes during a round is given that snapshot once, and not in the round")
  func subscribeDuringRound() {
    let aggregator = Aggregator(initial: Tally())
    let tape = Log<String>()
    let late = Box<Recorder<Int, Never>>()
    let early = Recorder(aggregator.states.map(\.count)) { event in
      guard case .value(1) = event else { return }
      tape.note("round")
      late.value = Recorder(aggregator.states.map(\.count)) { event in
        if case .value(let count) = event { tape.note("late \(count)") }
      }
      tape.note("subscribed")
    }

    aggregator.send(.add(1))
    aggregator.send(.add(1))

    #expect(early.values == [0, 1, 2])
    #expect(late.value?.values == [1, 2])
    #expect(tape.entries == ["round", "subscribed", "late 1", "late 2"])
  }

  @Test("REENT-06: in a callback, snapshot and current are what is being delivered")
  func snapshotInCallback() {
    let aggregator = Aggregator(initial: Tally())
    let count = aggregator.select(\.count)
    let agrees = Log<Bool>()
    let recorder = Recorder(count.observable) { event in
      guard case .value(let value) = event else { return }
      // The next event waits in line while this one is looked at.
      if value < 3 { aggregator.send(.add(1)) }
      agrees.note(aggregator.snapshot.count == value && count.current == value)
    }

    #expect(recorder.values == [0, 1, 2, 3])
    #expect(agrees.entries == [true, true, true, true])
  }

  @Test("Snapshot and current can be read from another thread while a subscriber holds the delivery")
  func snapshotFromOtherThread() async {
    let aggregator = Aggregator(initial: Tally())
    let count = aggregator.select(\.count)
    let gate = Gate(patience: longestWait)
    let token = aggregator.events.subscribe { _ in gate.hold() }
    defer { token.cancel() }
    let read = Log<Int>()

    await Threads.run {
      aggregator.send(.add(4))
    } _: {
      gate.waitUntilHeld()
      read.note(aggregator.snapshot.count)
      read.note(count.current)
      gate.open()
    }

    #expect(read.entries == [4, 4])
  }

  @Test("After finish the last snapshot stays readable")
  func afterFinish() {
    let aggregator = Aggregator(initial: Tally())
    let count = aggregator.select(\.count)
    aggregator.send(.add(3))
    aggregator.finish()

    #expect(aggregator.snapshot.count == 3)
    #expect(count.current == 3)
  }

  @Test("State survives the last subscriber")
  func stateSurvives() {
    let subject = Subject<Int, Never>()
    let aggregator = Aggregator(initial: Journal(), sources: subject.observable)
    let first = Recorder(aggregator.states.map(\.entries))
    subject.send(1)
    first.cancel()
    subject.send(2)

    let second = Recorder(aggregator.states.map(\.entries))

    #expect(second.values == [[1, 2]])
  }
}
