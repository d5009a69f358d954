import Aggregate
import RASPKeyed
import Streams

/// A kind of object of which many are made and kept, to see what memory one takes.
public struct Footprint: Sendable {
  /// What is made, in words.
  public let title: String
  /// How many bytes one may take.
  public let limit: Int
  /// Sets up and returns what makes one. What that returns keeps the one alive.
  public let prepare: @Sendable () -> () -> AnyObject

  /// All that are measured.
  public static let all: [Footprint] = [
    Footprint(title: "an aggregator without sources", limit: 1_000) { { Aggregator(initial: NavigationState()) } },
    Footprint(title: "one more selection by closure, with a subscriber", limit: 600) {
      let aggregator = Aggregator(initial: NavigationState())
      return { aggregator.select { $0.heading }.subscribe { _ in } }
    },
    Footprint(title: "a row of a keyed aggregator, beside its state", limit: 120 + MemoryLayout<Quote>.size) {
      let quotes = KeyedAggregator(by: \Tick.symbol, initial: { _ in Quote() })
      let next = Counter()
      return {
        quotes.send(Tick(symbol: "R\(next.next())", price: 1))
        return quotes
      }
    },
    Footprint(title: "a selection of a row of its own, with a subscriber", limit: 600) {
      let quotes = KeyedAggregator(by: \Tick.symbol, initial: { _ in Quote() })
      quotes.send(contentsOf: (0..<2_000).map { Tick(symbol: "R\($0)", price: 1) })
      let next = Counter()
      return { quotes["R\(next.next())"].select(\.price).subscribe { _ in } }
    },
    // The rows of the start were made before the count, so what is given back for them does not count: 960 bytes for
    // each.
    Footprint(title: "1,000 keys that pass through an eviction beyond 10,000", limit: 1_000) {
      let quotes = KeyedAggregator(by: \Tick.symbol, initial: { _ in Quote() }, evicting: .beyond(10_000))
      let next = Counter()
      for _ in 0..<30_000 { quotes.send(Tick(symbol: "R\(next.next())", price: 1)) }
      return {
        for _ in 0..<1_000 { quotes.send(Tick(symbol: "R\(next.next())", price: 1)) }
        return quotes
      }
    },
    Footprint(title: "a subject", limit: 200) { { Subject<Int, Never>() } },
  ]
}

/// Numbers, one after the other.
private final class Counter {
  private var last = -1

  func next() -> Int {
    last += 1
    return last
  }
}
