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
/// `next()` looks for a value at once, and returns it without suspending. If there is none, it suspends. When values of
/// the sequence were dropped since the last call, `next()` yields to the other tasks of its executor once before it
/// looks, so a loop over this sequence does not keep its actor from other tasks while the sender is faster.
public struct NewestValues<Element: Sendable>: AsyncSequence, Sendable {
  /// A state does not fail.
  public typealias Failure = Never

  @usableFromInline let values: AsyncValues<Element, Never>
  @usableFromInline let areEquivalent: @Sendable (_ old: Element, _ new: Element) -> Bool

  /// - Parameter areEquivalent: whether a value says nothing new to a reader that saw the other one last.
  @inlinable
  package init(
    of stream: Observable<Element, Never>,
    unless areEquivalent: @escaping @Sendable (_ old: Element, _ new: Element) -> Bool
  ) {
    values = AsyncValues(of: stream, buffering: .newest(1))
    self.areEquivalent = areEquivalent
  }

  /// The number of values that were replaced by newer ones before they were read, for all iterators of this sequence
  /// together.
  ///
  /// - Complexity: O(1).
  public var droppedCount: Int { values.droppedCount }

  /// Subscribes.
  ///
  /// - Complexity: as subscribing to the stream.
  @inlinable
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(values: values.makeAsyncIterator(), areEquivalent: areEquivalent)
  }

  /// One subscription, for one reader.
  ///
  /// A copy shares the subscription: a value goes to one of the two, `next()` returns `nil`, but not for good, while
  /// another task waits in it, and cancelling the task of one ends both.
  public struct AsyncIterator: AsyncIteratorProtocol {
    @usableFromInline var values: AsyncValues<Element, Never>.AsyncIterator
    @usableFromInline let areEquivalent: @Sendable (Element, Element) -> Bool
    @usableFromInline var last: Element?
    /// How many values had been dropped at the last look.
    @usableFromInline var dropped = 0

    @inlinable
    init(
      values: AsyncValues<Element, Never>.AsyncIterator,
      areEquivalent: @escaping @Sendable (Element, Element) -> Bool
    ) {
      self.values = values
      self.areEquivalent = areEquivalent
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
      let drops = values.channel.drops
      if drops.count != dropped {
        dropped = drops.count
        await Task.yield()
      }
      guard let value = await values.next(isolation: actor) else { return nil }
      // Between being woken with a value and running, a newer one may have come, or the end of the task.
      switch values.channel.take() {
      case .value(let newer):
        drops.increment()
        return newer
      case .end where Task.isCancelled: return nil
      case .end, nil: return value
      }
    }
  }
}

@available(*, unavailable)
extension NewestValues.AsyncIterator: Sendable {}
