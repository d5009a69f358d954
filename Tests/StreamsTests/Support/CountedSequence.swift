import RASPTesting
import Streams
import TestSupport

/// An asynchronous sequence that is always ready and counts how often it is read.
struct CountedSequence: AsyncSequence, Sendable {
  let limit: Int
  let reads = Counter()

  /// Something that lives as long as the sequence.
  var object: LifetimeTracker.Object?

  struct AsyncIterator: AsyncIteratorProtocol {
    let sequence: CountedSequence
    var next = 0

    mutating func next(isolation actor: isolated (any Actor)?) async -> Int? {
      sequence.reads.increment()
      guard next < sequence.limit else { return nil }
      defer { next += 1 }
      return next
    }

    mutating func next() async -> Int? {
      await next(isolation: nil)
    }
  }

  typealias Failure = Never

  func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(sequence: self)
  }
}

/// An asynchronous sequence with a typed failure: elements, then an error.
struct FailingSequence<Failure: Error>: AsyncSequence, Sendable {
  let elements: [Int]
  let error: Failure

  struct AsyncIterator: AsyncIteratorProtocol {
    var elements: ArraySlice<Int>
    let error: Failure

    mutating func next(isolation actor: isolated (any Actor)?) async throws(Failure) -> Int? {
      if let element = elements.popFirst() { return element }
      throw error
    }

    mutating func next() async throws(Failure) -> Int? {
      try await next(isolation: nil)
    }
  }

  func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(elements: elements[...], error: error)
  }
}
