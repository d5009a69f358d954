import RASPTesting
import TestSupport
import Testing

@testable import Aggregate

extension RowStamps {
  /// The keys that have changed since a content; `nil` if that is not known.
  fileprivate func keys(since stamp: UInt64) -> [Key]? {
    var keys: [Key] = []
    return forEachKey(since: stamp, { keys.append($0) }) ? keys : nil
  }
}

@Suite("The stamps of rows")
struct RowStampsTests {
  @Test("It tells what has changed since a content, and that it does not know what another copy has seen")
  func copies() {
    var log = RowStamps<Int>()
    let start = log.stamp
    log.note(1, of: 1)
    let one = log.stamp
    var other = log
    log.note(2, of: 2)
    other.note(3, of: 2)
    #expect(log.keys(since: start) == [1, 2])
    #expect(log.keys(since: one) == [2])
    #expect(log.keys(since: log.stamp) == [])
    #expect(other.keys(since: one) == [3])
    #expect(other.keys(since: log.stamp) == nil)
    #expect(log.keys(since: other.stamp) == nil)
    log.noteAll()
    #expect(log.keys(since: one) == nil)
    #expect(log.keys(since: log.stamp) == [])
  }

  @Test("It forgets the oldest changes beyond an eighth of the rows, and never says that nothing has changed")
  func bound() {
    for count in [0, 1000] {
      var log = RowStamps<Int>()
      var stamps = [log.stamp]
      for key in 0..<500 {
        log.note(key, of: count)
        stamps.append(log.stamp)
        for (index, stamp) in stamps.enumerated().suffix(200) {
          guard let keys = log.keys(since: stamp) else { continue }
          #expect(keys == Array(index..<stamps.count - 1))
        }
        // At least half of what it may hold is there.
        let remembered = max(64, count / 8) / 2
        #expect(log.keys(since: stamps[max(0, stamps.count - 1 - remembered)]) != nil)
      }
      #expect(log.keys(since: stamps[0]) == nil)
    }
  }

  @Test("A log of many rows that has become one of few rows drops what is too much")
  func shrinking() {
    var log = RowStamps<Int>()
    let start = log.stamp
    for key in 0..<1000 { log.note(key, of: 100_000) }
    #expect(log.keys(since: start)?.count == 1000)
    log.note(1000, of: 10)
    #expect(log.keys(since: start) == nil)
    #expect(log.keys(since: log.stamp) == [])
  }
}

@Suite("A collection of one's own with rows")
struct OwnRowCollectionTests {
  private struct Fleet: RowCollection, Equatable {
    var boats: Keyed<String, Int> = [:]
    subscript(key: String) -> Int? { boats[key] }
    var rowStamps: RowStamps<String> { boats.rowStamps }
  }

  private struct Harbour: AggregateState {
    var fleet = Fleet()
    var computed: Fleet { fleet }
    mutating func apply(_ event: (name: String, depth: Int)) { fleet.boats[event.name] = event.depth }
  }

  @Test(
    "FACE-124: a collection that hands on the stamps of a Keyed is selected by rows, and only the changed row speaks"
  )
  func handsOn() {
    let harbour = Aggregator(initial: Harbour())
    let depths = harbour.select(\.fleet, key: "a")
    let seen = Recorder(depths.observable)
    for (name, depth) in [("a", 1), ("b", 2), ("a", 1), ("a", 3)] { harbour.send((name: name, depth: depth)) }
    #expect(seen.values == [nil, 1, 3])
    #expect(depths.current == 3)
  }

  private struct Bridge: Selectable {
    let harbour: Aggregator<Harbour>
    func selection<Field: Sendable>(of selector: StateSelector<Fleet, Field>) -> Selection<Field> {
      harbour.select(\.fleet).selection(of: selector)
    }
  }

  /// It selects from what is no stored property of the state.
  private struct ComputedBridge: Selectable {
    let harbour: Aggregator<Harbour>
    let fleet: StateSelector<Harbour, Fleet>
    func selection<Field: Sendable>(of selector: StateSelector<Fleet, Field>) -> Selection<Field> {
      harbour.selection(of: fleet.appending(selector))
    }
  }

  @Test("FACE-125: rows are selected from what is computed, too, and each change of the row is told once")
  func computed() {
    for fleet in [
      StateSelector<Harbour, Fleet>(\.computed), StateSelector { $0.fleet },
      StateSelector({ $0.fleet }) { _, _ in false },
    ] {
      let harbour = Aggregator(initial: Harbour())
      let bridge = ComputedBridge(harbour: harbour, fleet: fleet)
      let seen = Recorder(bridge.select(\.boats, key: "a").observable)
      for round in 1...100 {
        harbour.send((name: "a", depth: round / 2))
        harbour.send((name: "b", depth: round))
      }
      #expect(seen.values == [nil] + (0...50).map { $0 })
      #expect(bridge.select(\.boats, key: "b").current == 100)
    }
  }

  @Test("FACE-125: a type that hands on the selections of an aggregator can be selected from")
  func selectable() {
    let harbour = Aggregator(initial: Harbour())
    let bridge = Bridge(harbour: harbour)
    harbour.send((name: "a", depth: 7))
    #expect(bridge.select(\.boats.count).current == 1)
    #expect(bridge.select(\.boats, key: "a").current == 7)
  }
}
