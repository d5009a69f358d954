import Aggregate
import AggregateTestSupport
import RASPTesting
import Streams
import TestSupport
import Testing

@Suite("Scopes")
struct ScopeTests {
  private struct Shelf: Sendable {
    var probe: CopyProbe
    var weight = 0
  }

  private enum Event: Sendable { case left(Int), right(Int) }

  private struct Room: AggregateState {
    var left: Shelf
    var right: Shelf

    init(copies: Counter = Counter()) {
      (left, right) = (Shelf(probe: CopyProbe(copies: copies)), Shelf(probe: CopyProbe(copies: copies)))
    }

    mutating func apply(_ event: Event) {
      switch event {
      case .left(let weight):
        left.weight += weight
        left.probe.increment()
      case .right(let weight):
        right.weight += weight
        right.probe.increment()
      }
    }
  }

  @Test("AGG-33: a scope sends events of its part, reads it and selects in it")
  func part() {
    let room = Aggregator(initial: Room())
    let left = room.scope(\.left, sending: Event.left)
    let weights = Recorder(left.select(\.weight).observable)
    let doubled = Recorder(left.select { $0.weight * 2 }.observable)
    #expect(left.send(3))
    room.send(.right(5))
    room.send(.left(4))
    #expect(weights.values == [0, 3, 7])
    #expect(doubled.values == [0, 6, 14])
    #expect(left.snapshot.weight == 7)
    #expect(left.select(\.weight).current == 7)
    #expect(room.snapshot.right.weight == 5)
  }

  @Test("AGG-33: selections of a scope keep no copy of the part")
  func inPlace() {
    let copies = Counter()
    let room = Aggregator(initial: Room(copies: copies))
    let left = room.scope(\.left, sending: Event.left)
    let weights = Recorder(left.select(\.weight).observable)
    let doubled = Recorder(left.select { $0.weight * 2 }.observable)
    left.send(1)
    let first = copies.value
    for _ in 0..<100 { left.send(1) }
    #expect(copies.value == first)
    #expect(weights.values.count == 102 && doubled.values.count == 102)
  }

  @Test("AGG-33: a scope does not keep the aggregator; when that has gone, the last part is readable")
  func lifetime() {
    var room: Aggregator<Room>? = Aggregator(initial: Room())
    weak let released = room
    guard let left = room?.scope(\.left, sending: Event.left) else { return }
    left.send(2)
    let weights = Recorder(left.select(\.weight).observable)
    room = nil
    #expect(released == nil)
    #expect(!left.send(1))
    #expect(left.snapshot.weight == 2)
    #expect(weights.values == [2] && weights.ends == [.finished])
  }

  @Test("AGG-33: two threads send into two parts: no event is lost, and each snapshot holds both as they were")
  func threads() async {
    let room = Aggregator(initial: Room())
    let (left, right) = (room.scope(\.left, sending: Event.left), room.scope(\.right, sending: Event.right))
    let sums = Recorder(room.select { $0.left.weight + $0.right.weight }.observable)
    await Threads.run(
      { for _ in 0..<1_000 { left.send(1) } },
      { for _ in 0..<1_000 { right.send(1) } }
    )
    #expect(await eventually { left.snapshot.weight == 1_000 && right.snapshot.weight == 1_000 })
    #expect(await eventually { sums.values.count == 2_001 })
    #expect(sums.values == Array(0...2_000))
  }
}
