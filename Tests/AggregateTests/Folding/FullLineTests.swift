import AggregateTestSupport
import RASPTesting
import Streams
import TestSupport
import Testing

@testable import Aggregate

/// Issue 27, "Load", 1: the line of an aggregator that is full, or grows.
@Suite("A line that is full", .endsInTime)
struct FullLineTests {
  /// An aggregator whose first event is not over until the gate is released.
  private struct Held {
    let tally: Aggregator<Tally>
    let gate = Gate(patience: longestWait)
    let token: Subscription
    let sender: Task<Void, Never>

    init(_ policy: BufferingPolicy = .unbounded) async {
      let (tally, gate) = (Aggregator(initial: Tally(), buffering: policy), gate)
      self.tally = tally
      token = tally.events.prefix(1).subscribe { _ in gate.hold() }
      sender = Task { await onThread { tally.send(.add(1)) } }
      await onThread { gate.waitUntilHeld() }
    }
  }

  @Test("LOAD-24: A line that grows is reported at 65,536 events and each time it has doubled")
  func growth() async {
    let held = await Held()
    let diagnostics = Recorder(held.tally.diagnostics)
    for _ in 0..<140_000 { held.tally.send(.add(1)) }
    #expect(diagnostics.values == [.lineGrown(65_536), .lineGrown(131_072)])
    held.tally.finish(droppingPending: true)
    held.gate.open()
    await held.sender.value
    #expect(held.tally.snapshot.count == 1)
    #expect(held.tally.droppedCount == 140_000)
  }

  @Test("LOAD-25: What a bound refuses is reported at the first event and each time the number has doubled")
  func refusals() async {
    let held = await Held(.oldest(1))
    let diagnostics = Recorder(held.tally.diagnostics)
    for _ in 0..<10 { held.tally.send(.add(1)) }
    #expect(diagnostics.values == [.eventsRefused(1), .eventsRefused(2), .eventsRefused(4), .eventsRefused(8)])
    held.gate.open()
    await held.sender.value
  }

  @Test("LOAD-26: An end that drops what waits still folds what was submitted")
  func submitted() async {
    let held = await Held()
    for _ in 0..<10 { held.tally.send(.add(1)) }
    let submitting = Task { [tally = held.tally] in await tally.submit(.add(100)) }
    #expect(await eventually { held.tally.pendingCount == 11 })
    held.tally.finish(droppingPending: true)
    held.gate.open()
    #expect(await submitting.value == .folded)
    #expect(held.tally.snapshot.count == 101)
  }
}
