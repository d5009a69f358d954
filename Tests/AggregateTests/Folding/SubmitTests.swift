import Aggregate
import AggregateTestSupport
import RASPTesting
import Streams
import TestSupport
import Testing

@Suite("submit", .endsInTime)
struct SubmitTests {
  private struct Overdrawn: Error, Equatable {
    let missing: Int
  }

  private struct Purse: AggregateState {
    var coins = 0

    mutating func apply(_ change: Int) throws(Overdrawn) {
      coins += change
      if coins < 0 { throw Overdrawn(missing: -coins) }
    }
  }

  @Test("It returns when the event has been folded and its round is over")
  func folded() async throws {
    let purse = Aggregator(initial: Purse())
    let seen = Recorder(purse.select(\.coins).observable)
    #expect(try await purse.submit(3) == .folded)
    #expect(seen.values == [0, 3])
    #expect(purse.snapshot.coins == 3)
  }

  @Test("It throws why the event was refused, which stands on rejections, too, and the state is as before")
  func refused() async throws {
    let purse = Aggregator(initial: Purse())
    let rejections = Recorder(purse.rejections)
    purse.send(2)
    await #expect(throws: Overdrawn(missing: 3)) { try await purse.submit(-5) }
    #expect(purse.snapshot.coins == 2)
    #expect(rejections.values.map(\.event) == [-5])
    #expect(try await purse.submit(1) == .folded)
  }

  @Test("It says that the aggregator had finished")
  func finished() async {
    let tally = Aggregator(initial: Tally())
    tally.finish()
    #expect(await tally.submit(.add(1)) == .finished)
    #expect(tally.snapshot.count == 0)
  }

  @Test("A cancelled task gives up the wait alone: the event is folded")
  func cancelled() async {
    let tally = Aggregator(initial: Tally())
    let gate = Gate(patience: longestWait)
    let token = tally.events.subscribe { _ in gate.hold() }
    async let held: Void = onThread { tally.send(.add(1)) }
    await onThread { gate.waitUntilHeld() }
    let submitting = Task { await tally.submit(.add(10)) }
    #expect(await eventually { tally.pendingCount == 1 })
    submitting.cancel()
    #expect(await submitting.value == .cancelled)
    #expect(tally.snapshot.count == 1, "it waits")
    gate.open()
    await held
    #expect(await eventually { tally.snapshot.count == 11 })
    token.cancel()
  }

  @Test("A submitted event is folded in order with the others, and is not dropped by a bound")
  func order() async {
    let journal = Aggregator(initial: Journal(), buffering: .newest(1))
    let gate = Gate(patience: longestWait)
    let token = journal.events.subscribe { event in if event == 0 { gate.hold() } }
    async let held: Void = onThread { journal.send(0) }
    await onThread { gate.waitUntilHeld() }
    journal.send(1)
    let first = Task { await journal.submit(2) }
    #expect(await eventually { journal.pendingCount == 2 })
    journal.send(3)
    #expect(journal.droppedCount == 1)
    gate.open()
    await held
    #expect(await first.value == .folded)
    #expect(await eventually { journal.snapshot.entries == [0, 2, 3] })
    token.cancel()
  }

  @Test("drained returns when what was accepted before is folded and its rounds are over, also behind the end")
  func drained() async {
    let tally = Aggregator(initial: Tally())
    await tally.drained()
    let gate = Gate(patience: longestWait)
    let seen = Log<Int>()
    let token = tally.states.dropFirst().subscribe { state in
      if state.count == 1 { gate.hold() }
      seen.note(state.count)
    }
    async let held: Void = onThread { tally.send(.add(1)) }
    await onThread { gate.waitUntilHeld() }
    for _ in 0..<3 { tally.send(.add(1)) }
    let isDrained = Flag()
    let draining = Task {
      await tally.drained()
      isDrained.raise()
      return seen.entries
    }
    #expect(await eventually { tally.pendingCount == 4 })
    // It is behind the wait.
    tally.send(.add(10))
    tally.finish()
    #expect(!isDrained.isRaised)
    gate.open()
    #expect(await draining.value.starts(with: [1, 2, 3, 4]))
    await held
    await tally.drained()
    #expect(seen.entries == [1, 2, 3, 4, 14])
    withExtendedLifetime(token) {}
  }

  @Test(
    "A flood of tasks that wait for their own events: each is folded once, and the line is never longer than their number"
  )
  func backpressure() async {
    let tally = Aggregator(initial: Tally())
    let each = rounds(100_000)
    let tooLong = Counter()
    await withTaskGroup { group in
      for _ in 0..<8 {
        group.addTask {
          for _ in 0..<each {
            #expect(await tally.submit(.add(1)) == .folded)
            if tally.pendingCount > 8 { tooLong.increment() }
          }
        }
      }
    }
    #expect(tally.snapshot.count == 8 * each)
    #expect(tooLong.value == 0)
  }

  @Test("Cancelling against folding: the task goes on exactly once, and the event is folded")
  func cancellationRace() async {
    for _ in 0..<rounds(100_000) {
      let tally = Aggregator(initial: Tally())
      let other = Task.detached { tally.send(.add(1)) }
      let task = Task.detached { await tally.submit(.add(1)) }
      task.cancel()
      let submission = await task.value
      #expect(submission == .folded || submission == .cancelled)
      _ = await other.value
      #expect(await eventually { tally.snapshot.count == 2 })
    }
  }

  @Test("Finishing against submitting: what is said to be folded has been folded, and nothing else")
  func finishRace() async {
    for _ in 0..<rounds(100_000) {
      let tally = Aggregator(initial: Tally())
      async let finished = Task.detached { tally.finish() }.value
      let submission = await Task.detached { await tally.submit(.add(1)) }.value
      _ = await finished
      #expect(tally.snapshot.count == (submission == .folded ? 1 : 0))
    }
  }
}
