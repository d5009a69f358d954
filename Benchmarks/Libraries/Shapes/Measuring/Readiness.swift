/// Tells when tasks that read are about to read, so that nothing is sent before they listen.
struct Readiness: Sendable {
  private let signals: AsyncStream<Void>
  private let continuation: AsyncStream<Void>.Continuation

  init() {
    (signals, continuation) = AsyncStream.makeStream(of: Void.self)
  }

  /// A task that reads values to their end and returns what they make of `initial`. It says so when it has made its
  /// iterator, which is when sequences get to know who reads.
  func read<Values: AsyncSequence & Sendable, Result: Sendable>(
    _ values: Values,
    into initial: Result,
    _ update: @escaping @Sendable (inout Result, Values.Element) -> Void
  ) -> Task<Result, Never> where Values.Failure == Never {
    Task {
      var iterator = values.makeAsyncIterator()
      continuation.yield()
      var result = initial
      while let value = await iterator.next(isolation: nil) { update(&result, value) }
      return result
    }
  }

  /// Returns when `count` of the tasks listen. For one who waits.
  func wait(for count: Int) async {
    var arrived = 0
    for await _ in signals {
      arrived += 1
      if arrived == count { return }
    }
  }
}
