import Aggregate
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
    Footprint(title: "a subject", limit: 200) { { Subject<Int, Never>() } },
  ]
}
