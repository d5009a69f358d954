import RASPTesting
import Synchronization

/// An asynchronous sequence that is ready at once, and says how far it has been read.
struct EagerNumbers: AsyncSequence, AsyncIteratorProtocol, Sendable {
  private final class Reads: Sendable {
    let count = Atomic<Int>(0)
  }

  let limit: Int
  private let reads = Reads()
  private let object: LifetimeTracker.Object?

  init(limit: Int, object: LifetimeTracker.Object? = nil) {
    self.limit = limit
    self.object = object
  }

  /// How many elements were asked for.
  var readCount: Int { reads.count.load(ordering: .acquiring) }

  func makeAsyncIterator() -> EagerNumbers { self }

  mutating func next() async -> Int? { await next(isolation: nil) }

  mutating func next(isolation actor: isolated (any Actor)?) async -> Int? {
    let number = reads.count.wrappingAdd(1, ordering: .acquiringAndReleasing).oldValue
    return number < limit ? number : nil
  }
}
