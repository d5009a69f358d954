import Aggregate
import AggregateTestSupport
import RASPTesting
import Streams
import TestSupport
import Testing

/// Issue 27, "Load", 4.
@Suite("Sources of packets", .endsInTime)
struct PacketSourceTests {
  private struct Refused: Error, Equatable {}

  @Test("LOAD-50: the events of a packet are folded one after the other, each with a round of its own")
  func aggregator() {
    let tally = Aggregator(initial: Tally())
    let packets = Subject<[Tally.Event], Refused>()
    let failures = Recorder(tally.sourceFailures)
    let source = tally.add(packets: packets.observable)
    let counts = Recorder(tally.select(\.count).observable)
    let nested = tally.events.prefix(1).subscribe { _ in tally.send(.add(100)) }
    packets.send([.add(1), .add(2), .add(3)])
    packets.send([])
    #expect(counts.values == [0, 1, 3, 6, 106], "what a subscriber sends comes behind the packet")
    packets.fail(Refused())
    #expect(failures.values.map(\.source) == [source])
    withExtendedLifetime(nested) {}
  }

  @Test("LOAD-50: what a source that was removed has sent is not folded, also if it waits as a packet")
  func removed() async {
    let tally = Aggregator(initial: Tally())
    let packets = Subject<[Tally.Event], Never>()
    let source = tally.add(packets: packets.observable)
    let gate = Gate(patience: longestWait)
    let token = tally.events.prefix(1).subscribe { _ in gate.hold() }
    async let held: Void = onThread { tally.send(.add(1)) }
    await onThread { gate.waitUntilHeld() }
    packets.send([.add(10), .add(20)])
    #expect(tally.pendingCount == 2)
    #expect(tally.remove(source: source))
    gate.open()
    await held
    #expect(await eventually { tally.pendingCount == 0 })
    #expect(tally.snapshot.count == 1)
    withExtendedLifetime(token) {}
  }
}
