import Aggregate
import AggregateTestSupport
import RASPKeyed
import RASPTesting
import Streams
import TestSupport
import Testing

/// Issue 27, "Load", 1 and 4, for rows.
@Suite("Bounds and packets of rows", .endsInTime)
struct RowLoadTests {
  @Test("LOAD-27: Rows: a bound refuses what the line has no room for, and an end drops what waits")
  func rows() async {
    let options = KeyedOptions(buffering: .oldest(1))
    let rows = KeyedAggregator<Int, Tally>(by: { _ in 0 }, initial: { _ in Tally() }, options: options)
    let gate = Gate(patience: longestWait)
    let token = rows.events.prefix(1).subscribe { _ in gate.hold() }
    let sender = Task { await onThread { rows.send(.add(1)) } }
    await onThread { gate.waitUntilHeld() }
    #expect(rows.send(.add(10)))
    #expect(!rows.send(.add(5)))
    #expect(rows.finish(droppingPending: true))
    gate.open()
    await sender.value
    #expect(rows[0].current?.count == 1)
    #expect(rows.droppedCount == 2)
    withExtendedLifetime(token) {}
  }

  @Test("LOAD-50: packets for rows are divided among the shards, and each key keeps its order", arguments: [1, 4])
  func rows(shards: Int) {
    let rows = KeyedAggregator<Int, Tally>(
      shards: shards,
      indexOf: { $0 % shards },
      by: { if case .add(let number) = $0 { number % 10 } else { 0 } },
      initial: { _ in Tally() }
    )
    let packets = Subject<[Tally.Event], Never>()
    rows.add(packets: packets.observable)
    let counts = Recorder(rows[3].select(\.count).observable)
    packets.send((0..<30).map { .add($0) })
    packets.send([.add(3)])
    #expect(counts.values == [nil, 3, 16, 39, 42])
  }
}
