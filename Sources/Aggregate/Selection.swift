public import Streams

/// A field of an aggregator's state as a thing of its own: it has a current value, and speaks when it changes.
///
///     let heading = geo.select(\.heading)
///     heading.current                                        // now
///     let token = heading.subscribe { render($0) }           // now, and whenever it changes
///     for await heading in heading.values { … }              // the newest, never a backlog
///
/// Selections form a tree below the aggregator. What several of them share is evaluated once per event, and what lies
/// below a field that did not change is not evaluated at all. Only what somebody subscribes to is evaluated.
///
/// What is selected is kept as it was last delivered. To select within a large collection, select what you need of it in
/// one step (`\.rows.count`, not `\.rows` and then `\.count`): a kept copy of a collection makes the next event that
/// changes the collection copy it.
///
/// A selection does not keep the aggregator alive. When the aggregator has gone, ``current`` is what it was last, and a
/// newcomer gets that and then the end.
///
/// ### Ordering
///
/// Everyone who is subscribed to anything of one aggregator is called in the order of subscription. Everything that is
/// read during a round belongs to one snapshot.
public struct Selection<Field: Sendable>: Sendable, Selectable {
  @usableFromInline let owner: any SelectionTreeOwner
  @usableFromInline let read: @Sendable () -> Field
  /// Finds or makes the node.
  @usableFromInline let enter: @Sendable (inout SelectionTree, QueueAccess) -> FieldNode<Field>
  @usableFromInline let areEquivalent: @Sendable (_ old: Field, _ new: Field) -> Bool

  @inlinable
  init(
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

  /// The field in the snapshot of now; during a round of notifications, in the snapshot of that round.
  public var current: Field { read() }

  /// The field now, and whenever it changes. Finishes with the aggregator.
  ///
  /// When nothing is being delivered, a newcomer gets the present value before `subscribe` returns: what ``current`` is then,
  /// also if a comparison has called it equal to what the others got last. From then on everyone gets the same: what differs
  /// from what was reported last.
  @inlinable
  public var observable: Observable<Field, Never> {
    let owner = owner
    let read = read
    let enter = enter
    return Observable(attach: { observer in
      owner.changeTree { tree, access in
        if tree.hasEnded {
          observer.send(read())
          return observer.end(.finished)
        }
        guard observer.lifetime.isActive else { return }
        let node = enter(&tree, access)
        let isNew = node.isNew(access)
        tree.add(observer, to: &node.contents[access].observers, of: node)
        observer.lifetime.onTermination {
          owner.maintainTree { tree, access in
            let left = tree.remove(observer, from: &node.contents[access].observers, of: node)
            return [left] + tree.removeIfIdle(node, access)
          }
        }
        // What a node holds is what it has reported last. A comparison may have called newer fields equal to that, here or
        // further up, so a newcomer gets what `current` is.
        observer.send(isNew ? node.contents[access].field : read())
      }
    })
  }

  /// Calls `onValue` with the field now, and whenever it changes, until the token is released.
  ///
  /// - Parameters:
  ///   - onValue: gets the field, one call at a time.
  ///   - onEnd: called when the aggregator finishes.
  @inlinable
  public func subscribe(
    _ onValue: @escaping @Sendable (Field) -> Void,
    onEnd: @escaping @Sendable (StreamEnd<Never>) -> Void = { _ in }
  ) -> Subscription {
    observable.subscribe(onValue, onEnd: onEnd)
  }

  /// The newest value, for `for await`: a reader that is late skips what it missed, never goes back, and is not woken if
  /// the field is again what the reader saw last.
  @inlinable
  public var values: NewestValues<Field> {
    NewestValues(of: observable, unless: areEquivalent)
  }

  /// Selects a field of this field by a selector that can be kept and reused.
  ///
  /// - Complexity: O(1).
  @inlinable
  @inline(__always)
  public func select<Inner: Sendable>(_ selector: StateSelector<Field, Inner>) -> Selection<Inner> {
    let owner = owner
    let read = read
    let enter = enter
    return Selection<Inner>(
      owner: owner,
      read: { selector(read()) },
      enter: { tree, access in
        let parent = enter(&tree, access)
        return parent.branch[access].enter(selector, from: parent.field, below: parent) { owner.report($0) }
      },
      areEquivalent: selector.areEquivalent
    )
  }
}

/// Something whose fields can be selected: an aggregator's state, or a selected field.
///
/// ``Aggregator`` and ``Selection`` conform to it. Other types have no use for it.
public protocol Selectable<Root> {
  /// What fields are selected from.
  associatedtype Root: Sendable

  /// Selects by a selector that can be kept and reused.
  func select<Field: Sendable>(_ selector: StateSelector<Root, Field>) -> Selection<Field>
}

extension Selectable {
  /// Selects a field by key path. Subscribers get it when it differs from what they got last; a floating-point field that
  /// stays NaN is reported once.
  ///
  ///     let token = geo.select(\.heading).subscribe { render($0) }
  ///     let coarse = geo.select(\.speed) { abs($0 - $1) < 0.5 }
  ///
  /// - Parameters:
  ///   - keyPath: leads to the field.
  ///   - areEquivalent: gets the old and the new field, and says whether the new one need not be reported; without it the
  ///     fields are compared with `==`.
  /// - Complexity: O(1). See ``StateSelector`` for what an event costs.
  @inlinable
  @inline(__always)
  public func select<Field: Equatable & Sendable>(
    _ keyPath: any KeyPath<Root, Field> & Sendable,
    by areEquivalent: (@Sendable (_ old: Field, _ new: Field) -> Bool)? = nil
  ) -> Selection<Field> {
    select(StateSelector(keyPath, by: areEquivalent))
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
    select(StateSelector(keyPath, by: areEquivalent))
  }

  /// Selects what a closure reads. Each call makes a selection of its own, so keep a ``StateSelector`` where several
  /// subscribers should share one.
  ///
  /// - Parameters:
  ///   - read: reads the field; depends on the state alone.
  ///   - areEquivalent: gets the old and the new field, and says whether the new one need not be reported; without it the
  ///     fields are compared with `==`.
  /// - Complexity: O(1).
  @inlinable
  @inline(__always)
  public func select<Field: Equatable & Sendable>(
    _ read: @escaping @Sendable (Root) -> Field,
    by areEquivalent: (@Sendable (_ old: Field, _ new: Field) -> Bool)? = nil
  ) -> Selection<Field> {
    select(StateSelector(read, by: areEquivalent))
  }

  /// Selects what a closure reads and what cannot be compared. Subscribers get it at every event, unless a comparison is
  /// given.
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
    select(StateSelector(read, by: areEquivalent))
  }
}
