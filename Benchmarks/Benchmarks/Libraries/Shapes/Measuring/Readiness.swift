/// Tells when tasks that read are about to read, so that nothing is sent before they listen.
struct Readiness: Sendable {
  private let signals: AsyncStream<Void>
  private let continuation: AsyncStream<Void>.Continuation

  init() {
    (signals, continuation) = AsyncStream.makeStream(of: Void.self)
  }

  func signal() {
    continuation.yield()
  }

  /// Returns when `count` have signalled. For one who waits.
  func wait(for count: Int) async {
    var arrived = 0
    for await _ in signals {
      arrived += 1
      if arrived == count { return }
    }
  }
}
