/// The streams that wait until one of those before them has finished, as what subscribes to them. A concatenation
/// follows one at a time.
///
/// Subscriptions wait for each other, so streams that finish as soon as they are subscribed to do not nest.
///
/// What has been subscribed to keeps the line, and nothing else does. So what waits is released when nothing can ask
/// for it any more: when all inputs have been cancelled, and also behind a stream that can never end.
///
/// Safe to share: the state is behind the lock; what is taken out is called and released after unlocking.
@usableFromInline
final class JoinLine: Sendable {
  /// Gets the line, to ask for the next stream: a stream that waits does not keep the line that it waits in.
  @usableFromInline typealias Start = @Sendable (_ line: JoinLine) -> Void

  /// Invariant: a stream waits only while another one is followed.
  struct State: Sendable {
    /// With the cause with which each arrived. It is followed because the one before it has ended, but it is not caused
    /// by that.
    private var waiting = RingBuffer<Kept<Start>>()
    private var isFollowing = false

    /// Takes in a stream that has arrived.
    ///
    /// - Returns: the stream, if it is to be followed now.
    mutating func arrived(_ stream: @escaping Start) -> Start? {
      assert(isFollowing || waiting.isEmpty, "A stream waits for none.")
      guard isFollowing else {
        isFollowing = true
        return stream
      }
      waiting.append(Kept(stream))
      return nil
    }

    /// Takes in that a stream that was followed has finished.
    ///
    /// - Returns: the next one.
    mutating func finished() -> Kept<Start>? {
      assert(isFollowing, "A stream ended that is not followed.")
      let next = waiting.popFirst()
      isFollowing = next != nil
      return next
    }
  }

  private let state = Lock(State())
  private let subscribing = StageQueue(JobShell())

  @usableFromInline
  init() {}

  /// Follows a stream, now or when those before it have finished.
  @usableFromInline
  func add(_ stream: @escaping Start) {
    if let start = state.withLock({ $0.arrived(stream) }) { subscribing.put { _, _ in start(self) } }
  }

  /// Follows the next stream, because one has finished.
  @usableFromInline
  func next() {
    guard let next = state.withLock({ $0.finished() }) else { return }
    subscribing.put { _, _ in next.cause.deliver { next.value(self) } }
  }
}
