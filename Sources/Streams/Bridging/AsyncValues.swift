/// The pull side of a stream: an asynchronous sequence for `for await`.
///
///     for await count in counts.values(buffering: .unbounded) { print(count) }
///
/// ### Subscription
///
/// Each iterator is a subscription of its own, made when the iterator is made, so nothing sent between that and the
/// first `next()` is lost. Leaving the loop, or releasing the iterator, cancels it.
///
/// ### Cancellation
///
/// When the task is cancelled, `next()` returns `nil` at once, for good, and the subscription is cancelled. A failure
/// of the stream is thrown once, after the values that came before it; then `next()` returns `nil`.
///
/// ### Concurrency
///
/// A sender never waits for a reader: values wait in the buffer of the reader as the policy says, and ``droppedCount``
/// tells how many were lost.
public struct AsyncValues<Element: Sendable, Failure: Error>: AsyncSequence, Sendable {
  @usableFromInline let stream: Observable<Element, Failure>
  @usableFromInline let policy: BufferingPolicy
  @usableFromInline let drops = DropCounter()

  @inlinable
  init(of stream: Observable<Element, Failure>, buffering policy: BufferingPolicy) {
    self.stream = stream
    self.policy = policy
  }

  /// The number of values that the buffering policy has dropped so far, for all iterators of this sequence together.
  ///
  /// - Complexity: O(1).
  public var droppedCount: Int { drops.count }

  /// Subscribes.
  ///
  /// - Complexity: as subscribing to the stream.
  @inlinable
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(
      stream: stream,
      channel: AsyncChannel(policy: policy, drops: drops),
      // A bounded buffer may have no room for what comes before the reader waits.
      givesWay: policy == .unbounded
    )
  }

  /// One subscription, for one reader.
  public struct AsyncIterator: AsyncIteratorProtocol {
    /// Cancels when the iterator goes away.
    @usableFromInline let subscription: Subscription
    @usableFromInline let channel: AsyncChannel<Element, Failure>
    @usableFromInline let givesWay: Bool

    @inlinable
    init(
      stream: Observable<Element, Failure>,
      channel: AsyncChannel<Element, Failure>,
      givesWay: Bool
    ) {
      self.channel = channel
      self.givesWay = givesWay
      subscription = stream.subscribe({ channel.send($0) }, onEnd: { channel.end($0) })
    }

    /// The next value, `nil` at the end and from then on.
    ///
    /// - Errors: throws the failure of the stream, once.
    /// - Complexity: O(1).
    @inlinable
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws(Failure) -> Element? {
      if Task.isCancelled {
        cancel()
        return nil
      }
      switch await read(isolation: actor) {
      case .value(let value): return value
      case .end(let end):
        try end.get()
        return nil
      }
    }

    @inlinable
    func read(isolation actor: isolated (any Actor)?) async -> ReadResult<Element, Failure> {
      if let ready = channel.take() { return ready }
      return await withTaskCancellationHandler {
        if givesWay {
          // To wake a task costs its sender microseconds, to leave it a value a few nanoseconds. So a reader looks
          // again before it waits, and under a fast sender it hardly ever waits.
          await Task.yield()
          if let ready = channel.take() { return ready }
        }
        return await channel.next(isolation: actor)
      } onCancel: { [channel, subscription] in
        channel.cancel()
        subscription.cancel()
      }
    }

    @inlinable
    func cancel() {
      channel.cancel()
      subscription.cancel()
    }
  }
}

@available(*, unavailable)
extension AsyncValues.AsyncIterator: Sendable {}

extension ObservableConvertible {
  /// The values of this stream as an asynchronous sequence.
  ///
  ///     for try await reading in readings.values(buffering: .newest(1)) { … }
  ///
  /// - Parameter policy: what becomes of values that arrive faster than they are taken. There is no default: losing
  ///   values, or memory, is a decision. Take `.unbounded` for events that a fold must not miss.
  /// - Complexity: O(1) for each value and reader. A reader keeps as many values as the policy allows.
  @inlinable
  public func values(buffering policy: BufferingPolicy) -> AsyncValues<Element, Failure> {
    AsyncValues(of: observable, buffering: policy)
  }
}
