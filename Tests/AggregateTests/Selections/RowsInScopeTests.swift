import Aggregate
import RASPTesting
import Streams
import Testing

/// Rows of a collection that lies in a part of a state, or in a part that is computed from it.
@Suite("Rows in a scope")
struct RowsInScopeTests {
  private struct Fleet: Sendable {
    var boats: Keyed<Int, Int> = [:]
  }

  private struct Ship: AggregateState {
    var name = ""
    var fleet = Fleet()

    var computed: Fleet { fleet }

    mutating func apply(_ event: (key: Int, value: Int)) {
      fleet.boats[event.key] = event.value
    }
  }

  private static let events = [(1, 10), (1, 11), (2, 20), (1, 12), (2, 21)].map { (key: $0.0, value: $0.1) }

  @Test("AGG-33: a row of a part is told of each of its changes, whether the part is stored or computed")
  func rows() {
    let ship = Aggregator(initial: Ship())
    let parts = [
      ship.scope(\.fleet, sending: { (event: Ship.Event) in event }),
      ship.scope(\.computed, sending: { (event: Ship.Event) in event }),
    ]
    for part in parts {
      let values = [1, 2].map { Recorder(part.select(\.boats, key: $0).observable) }
      for event in Self.events { ship.send(event) }
      // The second part begins with what the first one has left.
      #expect(values[0].values.suffix(3) == [10, 11, 12])
      #expect(values[1].values.suffix(2) == [20, 21])
      #expect(part.select(\.boats, key: 1).current == 12)
    }
  }

  @Test("AGG-33: rows that are selected in a part and beside it are told alike")
  func besideEachOther() {
    let ship = Aggregator(initial: Ship())
    let part = ship.scope(\.fleet, sending: { (event: Ship.Event) in event })
    let inPart = Recorder(part.select(\.boats, key: 1).observable)
    let beside = Recorder(ship.select(\.fleet.boats, key: 1).observable)
    let nested = Recorder(ship.select(\.fleet).select(\.boats, key: 1).observable)
    for event in Self.events { ship.send(event) }
    for recorder in [inPart, beside, nested] { #expect(recorder.values == [nil, 10, 11, 12]) }
  }
}
