import Streams

/// What was seen, for closures to share.
final class Sightings: Sendable {
  private let elements = Lock<[String]>([])

  var all: [String] { elements.withLock { $0 } }

  func append(_ element: String) {
    elements.withLock { $0.append(element) }
  }
}
