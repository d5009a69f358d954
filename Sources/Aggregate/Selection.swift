public import Streams

/// A field of an aggregator's state. It has a current value, and its subscribers are told when it changes.
///
///     let heading = geo.select(\.heading)
///     heading.current                                        // now
///     let token = heading.subscribe { render($0) }           // now, and whenever it changes
///     for await heading in heading.values { … }              // the newest, never a backlog
///
/// Selections form a tree below the aggregator. A selection that several subscribers share is evaluated once per event,
/// and the selections below a field that did not change are not evaluated at all. A selection without subscribers is
/// not evaluated.
///
/// The field is kept as it was last delivered. To select within a large collection, select the part you need in one
/// step (`\.rows.count`, not `\.rows` and then `\.count`): a kept copy of a collection makes the next event that
/// changes the collection copy it.
///
/// A selection does not keep the aggregator alive. When the aggregator has been released, ``current`` is the last
/// value, and a newcomer gets that and then the end.
///
/// - Ordering: all subscribers of one aggregator, to any of its fields and streams, are called in the order of
///   subscription. Everything that is read during a round belongs to one snapshot.
/// - Concurrency: every member may be called from any thread, also from inside callbacks.
/// - Complexity: each event evaluates each selection whose parent changed once, however many subscribers it has.
///   ``observable`` says what subscribing and cancelling cost.
public struct Selection<Field: Sendable>: Sendable, Selectable, ObservableConvertible {
  /// A selection cannot fail.
  public typealias Failure = Never

  @usableFromInline let owner: any SelectionTreeOwner
  @usableFromInline let read: @Sendable () -> Field
  /// Finds or makes the node.
  @usableFromInline let enter: @Sendable (inout SelectionTree, QueueAccess) -> FieldNode<Field>
  @usableFromInline let areEquivalent: @Sendable (_ old: Field, _ new: Field) -> Bool

  @inlinable
  package init(
    owner: any SelectionTreeOwner,
    read: @escaping @Sendable () -> Field,
    enter: @escaping @Sendable (inout SelectionTree, QueueAccess) -> FieldNode<Field>,
    areEquivalent: @escaping @Sendable (_ old: Field, _ new: Field) -> Bool
  ) {
    self.owner = owner
    self.read = read
    self.enter = enter
    self.areEquivalent = areEquivalent
  }

  /// The field in the present snapshot; during a round of notifications, in the snapshot of that round.
  ///
  /// - Concurrency: may be read from any thread. A read waits for an `apply` that is running on another thread, and for
  ///   nothing else.
  /// - Complexity: one evaluation of the selector and of all selectors above it. Each read evaluates them again;
  ///   subscribe if you read often.
  @inlinable
  public var current: Field { read() }

  /// Sends the field now, and whenever it changes. Finishes with the aggregator.
  ///
  /// A newcomer gets what ``current`` is then, also if a comparison has called it equal to what the others got last.
  /// From then on everyone gets the same: what differs from what was reported last.
  ///
  /// - Ordering: when nothing is being delivered, a newcomer gets the present value before `subscribe` returns;
  ///   otherwise behind the present round.
  /// - Complexity: subscribing is O(1) amortised for each selection on the way from the state to this one, plus one
  ///   evaluation of those that have no subscriber yet. Cancelling is O(log subscribers) amortised.
  @inlinable
  public var observable: Observable<Field, Never> {
    let owner = owner
    let read = read
    let enter = enter
    return Observable(attach: { observer in
      owner.place.change { tree, access in
        if tree.hasEnded {
          observer.send(read())
          return observer.end(.finished)
        }
        guard observer.lifetime.isActive else { return }
        let node = enter(&tree, access)
        let isPresent = node.isPresent(access)
        tree.add(observer, to: node, access)
        observer.leave(node)
        // What a node holds is what it has reported last. A comparison may have called newer fields equal to that, here
        // or further up, so a newcomer gets what `current` is.
        observer.send(isPresent ? node.value[access] : read())
      }
    })
  }

  /// Calls `onValue` with the field now, and whenever it changes, until the token is released.
  ///
  /// - Parameters:
  ///   - onValue: gets the field, one call at a time.
  ///   - onEnd: is called when the aggregator finishes.
  /// - Returns: the token. Releasing it cancels, so keep it.
  /// - Complexity: as for ``observable``.
  @inlinable
  public func subscribe(
    _ onValue: @escaping @Sendable (Field) -> Void,
    onEnd: @escaping @Sendable (StreamEnd<Never>) -> Void = { _ in }
  ) -> Subscription {
    observable.subscribe(onValue, onEnd: onEnd)
  }

  /// The newest value, for `for await`. A reader that is late skips the values that it missed, never goes back, and is
  /// not woken if the field is again what the reader saw last.
  ///
  /// - Complexity: O(1) per change, however late the reader is.
  @inlinable
  public var values: NewestValues<Field> {
    NewestValues(of: observable, unless: areEquivalent)
  }

  /// Sends the field at a fixed rate: now, and then once per period, if it has changed since it was sent last. The
  /// field is read at its moment: between two moments this selection is not evaluated. A stream that is sampled sends
  /// its first value at the end of a period, because it has no present one.
  ///
  ///     let token = quotes.select { $0.movers() }.sample(every: .milliseconds(250)).subscribe { show($0) }
  ///
  /// - Parameters:
  ///   - period: the time between two reads; see `interval(_:on:)` of `Observable` for one that is not positive.
  ///   - scheduler: the source of time.
  /// - Completion: the stream finishes one period after the aggregator at the latest, with the last value.
  /// - Complexity: one evaluation per period; none per event. The field that was sent last is kept, to be compared: of
  ///   a collection, one copy per period may come of that.
  public func sample(every period: Duration, on scheduler: some Scheduler = .continuous) -> Observable<Field, Never> {
    let (owner, read, areEquivalent) = (owner, read, areEquivalent)
    return .sampling(every: period, on: scheduler, until: { owner.place.isOver }) { (sent: inout Field?) in
      let field = read()
      if let sent, areEquivalent(sent, field) { return nil }
      sent = field
      return field
    }
  }

  /// The selection of a field of this field.
  ///
  /// - Complexity: O(1).
  @inlinable
  @inline(__always)
  public func selection<Inner: Sendable>(of selector: StateSelector<Field, Inner>) -> Selection<Inner> {
    let owner = owner
    let read = read
    let enter = enter
    return Selection<Inner>(
      owner: owner,
      read: { selector(read()) },
      enter: { tree, access in
        let parent = enter(&tree, access)
        return parent.branch.enter(selector, from: parent.value.pointer, below: parent, of: parent.owner)
      },
      areEquivalent: selector.comparison.areEquivalent
    )
  }
}

/// A value whose fields can be selected: an aggregator's state, or a selected field.
///
/// ``Aggregator``, ``ScopedAggregator`` and ``Selection`` conform to it. A type of your own conforms by handing on the
/// selections of one of these: a facade that shows a part of a state, for example.
public protocol Selectable<Root> {
  /// The value that fields are selected from.
  associatedtype Root: Sendable

  /// The selection of what a selector reads. All ways to `select` come to this.
  func selection<Field: Sendable>(of selector: StateSelector<Root, Field>) -> Selection<Field>
}

extension Selectable {
  /// Selects a field by key path. Subscribers get it when it differs from what they got last; a floating-point field
  /// that stays NaN is reported once.
  ///
  ///     let token = geo.select(\.heading).subscribe { render($0) }
  ///     let coarse = geo.select(\.speed) { abs($0 - $1) < 0.5 }
  ///
  /// - Parameters:
  ///   - keyPath: leads to the field.
  ///   - areEquivalent: gets the old and the new field, and says whether the new one need not be reported; without it
  ///     the fields are compared with `==`.
  /// - Complexity: O(1). See ``StateSelector`` for what an event costs.
  @inlinable
  @inline(__always)
  public func select<Field: Equatable & Sendable>(
    _ keyPath: any KeyPath<Root, Field> & Sendable,
    by areEquivalent: (@Sendable (_ old: Field, _ new: Field) -> Bool)? = nil
  ) -> Selection<Field> {
    selection(of: StateSelector(keyPath, by: areEquivalent))
  }

  /// Selects a field that cannot be compared. Subscribers get it at every event, unless a comparison is given.
  ///
  /// - Parameters:
  ///   - keyPath: leads to the field.
  ///   - areEquivalent: gets the old and the new field, and says whether the new one need not be reported.
  /// - Complexity: O(1).
  @inlinable
  @inline(__always)
  @_disfavoredOverload
  public func select<Field: Sendable>(
    _ keyPath: any KeyPath<Root, Field> & Sendable,
    by areEquivalent: (@Sendable (_ old: Field, _ new: Field) -> Bool)? = nil
  ) -> Selection<Field> {
    selection(of: StateSelector(keyPath, by: areEquivalent))
  }

  /// Selects what a closure reads. Each call makes a selection of its own, so keep a ``StateSelector`` where several
  /// subscribers should share one.
  ///
  /// - Parameters:
  ///   - read: reads the field; depends on the state alone.
  ///   - areEquivalent: gets the old and the new field, and says whether the new one need not be reported; without it
  ///     the fields are compared with `==`.
  /// - Complexity: O(1).
  @inlinable
  @inline(__always)
  public func select<Field: Equatable & Sendable>(
    _ read: @escaping @Sendable (Root) -> Field,
    by areEquivalent: (@Sendable (_ old: Field, _ new: Field) -> Bool)? = nil
  ) -> Selection<Field> {
    selection(of: StateSelector(read, by: areEquivalent))
  }

  /// Selects what a closure reads and what cannot be compared. Subscribers get it at every event, unless a comparison
  /// is given.
  ///
  /// - Parameters:
  ///   - read: reads the field; depends on the state alone.
  ///   - areEquivalent: gets the old and the new field, and says whether the new one need not be reported.
  /// - Complexity: O(1).
  @inlinable
  @inline(__always)
  @_disfavoredOverload
  public func select<Field: Sendable>(
    _ read: @escaping @Sendable (Root) -> Field,
    by areEquivalent: (@Sendable (_ old: Field, _ new: Field) -> Bool)? = nil
  ) -> Selection<Field> {
    selection(of: StateSelector(read, by: areEquivalent))
  }

  /// Selects by a selector that can be kept and reused.
  ///
  /// - Parameter selector: a ``StateSelector``. The parameter is an existential, because the compiler then says which
  ///   member a misspelt key path does not have, and not that it is no selector.
  /// - Complexity: O(1).
  @inlinable
  public func select<Field: Sendable>(_ selector: any StateReading<Root, Field>) -> Selection<Field> {
    selection(of: selector.selector)
  }
}
