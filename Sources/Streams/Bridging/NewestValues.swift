/// The newest value of something that has a state, for `for await`: a reader that is late skips what it missed, never goes
/// back, and gets nothing if the value is again what it saw last.
///
///     for await heading in geo.select(\.heading).values { render(heading) }
///
/// ### Subscription
///
/// Each iterator is a subscription of its own, made when the iterator is made. Leaving the loop, or releasing the iterator,
/// cancels it.
///
/// ### Cancellation
///
/// When the task is cancelled, `next()` returns `nil` without waiting, for good, and the subscription is cancelled.
///
/// A reader holds up nobody: whoever sends leaves the value and goes on.
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

  /// How many values were replaced by newer ones before they were read, for all iterators of this sequence together.
  public var droppedCount: Int { drops.count }

  /// Subscribes.
  @inlinable
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(stream: stream, slot: NewestSlot(drops: drops), areEquivalent: areEquivalent)
  }

  /// One subscription, for one reader.
  ///
  /// A copy shares the subscription: a value goes to one of the two, `next()` returns `nil`, but not for good, while
  /// another task waits in it, and cancelling the task of one ends both.
  public struct AsyncIterator: AsyncIteratorProtocol {
    /// Cancels when the iterator goes away.
    @usableFromInline let subscription: Subscription
    @usableFromInline let slot: NewestSlot<Element>
    @usableFromInline let areEquivalent: @Sendable (Element, Element) -> Bool
    @usableFromInline var last: Element?
    @usableFromInline var patience = Patience()

    @inlinable
    init(
      stream: Observable<Element, Never>,
      slot: NewestSlot<Element>,
      areEquivalent: @escaping @Sendable (Element, Element) -> Bool
    ) {
      self.slot = slot
      self.areEquivalent = areEquivalent
      subscription = stream.subscribe({ slot.send($0) }, onEnd: { _ in slot.end() })
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
      for look in 1...patience.looks {
        for _ in 0..<(look == 1 ? patience.pauses : 1) { await Task.yield() }
        if Task.isCancelled {
          slot.cancel()
          subscription.cancel()
        }
        switch slot.take() {
        case .value(let value):
          patience.hasFound()
          return value
        case .end: return nil
        case .nothing: continue
        }
      }
      patience.waits()
      return await withTaskCancellationHandler {
        while await slot.wait(isolation: actor) {
          switch slot.take() {
          case .value(let value): return value
          case .end: return nil
          case .nothing: break
          }
        }
        return nil
      } onCancel: { [slot, subscription] in
        slot.cancel()
        subscription.cancel()
      }
    }
  }
}

@available(*, unavailable)
extension NewestValues.AsyncIterator: Sendable {}
