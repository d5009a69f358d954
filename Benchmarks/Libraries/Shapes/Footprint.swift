import Aggregate
import MemoryCounter
import RASPKeyed
import Streams

/// A row of the table of goals that is memory: something of which many are made and kept.
public struct Footprint: Sendable {
  /// The name in `goals.tsv`.
  public let name: String
  /// Sets up and returns what makes one. What that returns keeps the one alive.
  let prepare: @Sendable () -> () -> AnyObject

  /// The bytes that one takes, or `nil` where they are not counted. The first ones are made before, so that nothing
  /// counts that exists once for all.
  public func measure() -> Int? {
    guard memory_counter_is_available() else { return nil }
    let count = 1_000
    let make = prepare()
    let first = [make(), make()]
    var kept: [AnyObject] = []
    kept.reserveCapacity(count)
    memory_counter_start()
    for _ in 0..<count { kept.append(make()) }
    let bytes = memory_counter_stop()
    return withExtendedLifetime((make, first, kept)) { bytes / count }
  }

  /// All that are measured.
  public static let all: [Footprint] = [
    Footprint(name: "bytes.subject") { { Subject<Int, Never>() } },
    Footprint(name: "bytes.aggregator") { { Aggregator(initial: NavigationState()) } },
    Footprint(name: "bytes.selection") {
      let aggregator = Aggregator(initial: NavigationState())
      return { aggregator.select { $0.heading }.subscribe { _ in } }
    },
    Footprint(name: "bytes.row") {
      let places = KeyedAggregator(by: \Move.key, initial: { _ in Place() })
      let next = Counter()
      return {
        places.send(Move(key: next.next()))
        return places
      }
    },
    // Rows that are there already get a subscriber each.
    Footprint(name: "bytes.row.subscriber") {
      let places = KeyedAggregator(by: \Move.key, initial: { _ in Place() })
      places.send(contentsOf: (0..<2_000).map { Move(key: $0) })
      let next = Counter()
      return { places[next.next()].select(\.x).subscribe { _ in } }
    },
  ]
}

/// A row whose state takes 16 bytes.
private struct Place: AggregateState {
  var x = 0
  var y = 0

  mutating func apply(_ move: Move) { x += 1 }
}

private struct Move: Sendable {
  let key: Int
}

/// Numbers, one after the other.
private final class Counter {
  private var last = -1

  func next() -> Int {
    last += 1
    return last
  }
}
