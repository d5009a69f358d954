import Aggregate
import Foundation
import RASPTesting
import Streams
import TestSupport
import Testing

@Suite("Keyed")
struct CollectionTests {
  /// Cannot be compared.
  private struct Blob: Sendable {
    var size = 0
  }

  private struct Blobs: AggregateState {
    struct Edit: Sendable {
      let change: @Sendable (inout Blobs) -> Void
    }

    var blobs: Keyed<String, Blob> = [:]

    mutating func apply(_ event: Edit) { event.change(&self) }
  }

  private struct Fleet: AggregateState, Equatable {
    enum Event: Sendable {
      case moved(String, Int)
      case sold(String)
      case replaced(Keyed<String, Int>)
    }

    var name = "home"
    var boats: Keyed<String, Int> = [:]

    mutating func apply(_ event: Event) {
      switch event {
      case .moved(let id, let place): boats[id] = place
      case .sold(let id): boats[id] = nil
      case .replaced(let others): boats = others
      }
    }
  }

  @Test("KEY-02: a row of a keyed collection in a state is told of its own changes only")
  func rows() {
    let fleet = Aggregator(initial: Fleet())
    let a = Recorder(fleet.select(\.boats, key: "a").observable)
    let b = Recorder(fleet.select(\.boats, key: "b").observable)
    let others = (0..<40).map { Recorder(fleet.select(\.boats, key: "\($0)").observable) }
    fleet.send(.moved("a", 1))
    let before = fleet.snapshot.boats
    fleet.send(.moved("b", 2))
    fleet.send(.moved("a", 3))
    fleet.send(.sold("b"))
    fleet.send(.replaced(before))
    fleet.send(.moved("7", 7))
    #expect(a.values == [nil, 1, 3, 1])
    #expect(b.values == [nil, 2, nil])
    #expect(others[7].values == [nil, 7])
    #expect(others[8].values == [nil])
    #expect(fleet.select(\.boats, key: "7").current == 7)
  }

  @Test("KEY-02: a row that cannot be compared is told once for each event that changes it, however often it does so")
  func opaqueRows() {
    let blobs = Aggregator(initial: Blobs())
    let a = Recorder(blobs.select(\.blobs, key: "a").observable.map { $0?.size })
    let b = Recorder(blobs.select(\.blobs, key: "b").observable.map { $0?.size })
    blobs.send(Blobs.Edit { $0.blobs["a"] = Blob(size: 1) })
    blobs.send(
      Blobs.Edit { state in
        for size in 2..<6 { state.blobs["a"]?.size = size }
        state.blobs["b"] = Blob(size: 1)
        state.blobs["a"]?.size = 6
      }
    )
    #expect(a.values == [nil, 1, 6])
    #expect(b.values == [nil, 1])
  }

  /// A row of rows of which it is not known whether they can be compared.
  private func opaqueRow<State: AggregateState, Rows: RowCollection>(
    _ keyPath: any KeyPath<State, Rows> & Sendable,
    key: Rows.Key,
    of aggregator: Aggregator<State>
  ) -> Selection<Rows.Row?> {
    aggregator.select(keyPath, key: key)
  }

  @Test("KEY-02, SEL-04: who compares a row and who does not select it beside each other, whoever comes first")
  func comparisons() {
    for isComparedFirst in [true, false] {
      for others in [0, 40] {
        let fleet = Aggregator(initial: Fleet())
        let bag = (0..<others).map { Recorder(fleet.select(\.boats, key: "\($0)").observable) }
        let selections = [fleet.select(\.boats, key: "a"), opaqueRow(\.boats, key: "a", of: fleet)]
        let recorders = (isComparedFirst ? selections : selections.reversed()).map { Recorder($0.observable) }
        fleet.send(.moved("a", 1))
        fleet.send(.moved("a", 1))
        fleet.send(.moved("b", 1))
        let (compared, opaque) = (recorders[isComparedFirst ? 0 : 1], recorders[isComparedFirst ? 1 : 0])
        #expect(compared.values == [nil, 1])
        #expect(opaque.values == [nil, 1, 1])
        withExtendedLifetime(bag) {}
      }
    }
  }

  @Test("A Keyed is a dictionary: what is read, counted and compared is that of the rows")
  func dictionary() {
    var rows: Keyed<String, Int> = ["a": 1, "b": 2]
    rows["b"] = nil
    rows["c", default: 10] += 1
    #expect(rows.removeValue(forKey: "x") == nil)
    #expect(rows.removeValue(forKey: "a") == 1)
    rows.merge([(key: "d", value: 4)])
    #expect(rows == ["c": 11, "d": 4])
    #expect(rows != ["c": 11])
    #expect(rows.count == 2)
    #expect(Set(rows.keys) == ["c", "d"])
    #expect(rows.dictionary == ["c": 11, "d": 4])
    #expect(Set([rows, ["d": 4, "c": 11]]).count == 1)
    rows.removeAll()
    #expect(rows.isEmpty)
  }

  @Test("A Keyed is encoded and decoded as a dictionary")
  func coding() throws {
    let (encoder, decoder) = (JSONEncoder(), JSONDecoder())
    let rows: Keyed<String, Int> = ["a": 1, "b": 2]
    #expect(try decoder.decode([String: Int].self, from: encoder.encode(rows)) == rows.dictionary)
    #expect(try decoder.decode(Keyed<String, Int>.self, from: encoder.encode(rows)) == rows)
  }
}
