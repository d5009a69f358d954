import RASPPrimitives

/// The newest value of something that has a state, for `for await`: a reader that is late skips what it missed, never
/// goes back, and gets nothing if the value is again what it saw last.
///
///     for await heading in geo.select(\.heading).values { render(heading) }
///
/// ### Subscription
///
/// Each iterator is a subscription of its own, made when the iterator is made. Leaving the loop, or releasing the
/// iterator, cancels it.
///
/// ### Cancellation
///
/// When the task is cancelled, `next()` returns `nil` without waiting, for good, and the subscription is cancelled.
///
/// ### Concurrency
///
/// A sender never waits for a reader. It leaves the value and goes on; if the reader is suspended, it resumes the
/// reader's task first.
///
/// `next()` looks for a value at once, and returns it without suspending. If there is none, it looks again before it
/// suspends, and yields to the other tasks of its executor between two looks. In the concurrent pool these are up to 63
/// yields, on an actor, the main actor too, one. After it has looked without success it suspends at once the next 15
/// times. So for a reader of a slow stream, waiting costs its executor about four short jobs for each value in the
/// concurrent pool, and one for 16 values on an actor. While the sender is faster than the reader, `next()` yields once
/// before it looks, in the concurrent pool up to three times, so a loop over this sequence does not keep its actor from
/// other tasks.
public struct NewestValues<Element: Sendable>: AsyncSequence, Sendable {
  /// A state does not fail.
  public typealias Failure = Never

  @usableFromInline let stream: Observable<Element, Never>
  @usableFromInline let areEquivalent: @Sendable (_ old: Element, _ new: Element) -> Bool
  @usableFromInline let drops = DropCounter()

  /// - Parameter areEquivalent: whether a value says nothing new to a reader that saw the other one last.
  @inlinable
  package init(
    of stream: Observable<Element, Never>,
    unless areEquivalent: @escaping @Sendable (_ old: Element, _ new: Element) -> Bool
  ) {
    self.stream = stream
    self.areEquivalent = areEquivalent
  }

  /// The number of values that were replaced by newer ones before they were read, for all iterators of this sequence
  /// together.
  ///
  /// - Complexity: O(1).
  public var droppedCount: Int { drops.count }

  /// Subscribes.
  ///
  /// - Complexity: as subscribing to the stream.
  @inlinable
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(stream: stream, channel: NewestChannel(drops: drops), areEquivalent: areEquivalent)
  }

  /// One subscription, for one reader.
  ///
  /// A copy shares the subscription: a value goes to one of the two, `next()` returns `nil`, but not for good, while
  /// another task waits in it, and cancelling the task of one ends both.
  public struct AsyncIterator: AsyncIteratorProtocol {
    /// Cancels when the iterator goes away.
    @usableFromInline let subscription: Subscription
    @usableFromInline let channel: NewestChannel<Element>
    @usableFromInline let areEquivalent: @Sendable (Element, Element) -> Bool
    @usableFromInline var last: Element?
    @usableFromInline var strategy = WaitStrategy()

    @inlinable
    init(
      stream: Observable<Element, Never>,
      channel: NewestChannel<Element>,
      areEquivalent: @escaping @Sendable (Element, Element) -> Bool
    ) {
      self.channel = channel
      self.areEquivalent = areEquivalent
      subscription = stream.subscribe({ channel.send($0) }, onEnd: { _ in channel.end() })
    }

    /// The newest value, as soon as it is another one than the last; `nil` at the end and from then on.
    @inlinable
    public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async -> Element? {
      while let value = await newest(isolation: actor) {
        if let last, areEquivalent(last, value) { continue }
        last = value
        return value
      }
      last = nil
      return nil
    }

    @inlinable
    mutating func newest(isolation actor: isolated (any Actor)?) async -> Element? {
      for _ in 0..<strategy.yields(isIsolated: actor != nil) { await Task.yield() }
      for look in 1...strategy.looks(isIsolated: actor != nil) {
        if look > 1 { await Task.yield() }
        if Task.isCancelled {
          channel.cancel()
          subscription.cancel()
        }
        switch channel.take() {
        case .value(let value, let hasReplaced):
          strategy.found(hasReplaced: hasReplaced)
          return value
        case .end: return nil
        case .nothing: continue
        }
      }
      strategy.suspends()
      return await withTaskCancellationHandler {
        while await channel.wait(isolation: actor) {
          switch channel.take() {
          case .value(let value, _): return value
          case .end: return nil
          case .nothing: break
          }
        }
        return nil
      } onCancel: { [channel, subscription] in
        channel.cancel()
        subscription.cancel()
      }
    }
  }
}

@available(*, unavailable)
extension NewestValues.AsyncIterator: Sendable {}
