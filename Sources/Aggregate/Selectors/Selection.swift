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
  @usableFromInline let tree: any SelectionTree
  @usableFromInline let read: @Sendable () -> Field
  /// Finds or makes the node; for the owner of the tree's queue.
  @usableFromInline let enter: @Sendable () -> SelectionNode<Field>
  @usableFromInline let areEquivalent: @Sendable (_ old: Field, _ new: Field) -> Bool

  @inlinable
  init(
    tree: any SelectionTree,
    read: @escaping @Sendable () -> Field,
    enter: @escaping @Sendable () -> SelectionNode<Field>,
    areEquivalent: @escaping @Sendable (_ old: Field, _ new: Field) -> Bool
  ) {
    self.tree = tree
    self.read = read
    self.enter = enter
    self.areEquivalent = areEquivalent
  }

  /// The field in the snapshot of now; during a round of notifications, in the snapshot of that round.
  public var current: Field { read() }

  /// The field now, and whenever it changes. Finishes with the aggregator.
  ///
  /// When nothing is being delivered, a newcomer gets the present value before `subscribe` returns.
  @inlinable
  public var observable: Observable<Field, Never> {
    let tree = tree
    let read = read
    let enter = enter
    return Observable(attach: { observer in
      tree.listen(observer.lifetime) {
        let node = enter()
        return Joining(
          listeners: node.listeners,
          notify: { observer.send(node.field.value) },
          finish: { observer.end(.finished) },
          leave: { node.leaveIfIdle() }
        )
      } orEnded: {
        observer.send(read())
        observer.end(.finished)
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

  /// Selects a field of this field.
  @inlinable
  @inline(__always)
  public func select<Inner: Sendable>(_ selector: StateSelector<Field, Inner>) -> Selection<Inner> {
    let tree = tree
    let read = read
    let enter = enter
    return Selection<Inner>(
      tree: tree,
      read: { selector(read()) },
      enter: {
        let parent = enter()
        return parent.branch.enter(selector, at: parent.field, of: tree) { parent.leaveIfIdle() }
      },
      areEquivalent: selector.areEquivalent
    )
  }
}
