import Streams

/// A part of an aggregator's state, and the events of that part: what a component is given that does not know the
/// whole.
///
///     let radio = ship.scope(\.radio, sending: ShipEvent.radio)
///     radio.send(.tune(16))                                    // ship.send(.radio(.tune(16)))
///     radio.snapshot.channel
///     let token = radio.select(\.channel).subscribe { show($0) }
///
/// It has no state and no line of its own: everything it does, the aggregator does. So a snapshot of the whole is
/// consistent, and the order of events and subscribers is one for all parts. Its type does not name the whole, so a
/// test gives the component an aggregator of any state that has such a part.
///
/// It does not keep the aggregator alive. When the aggregator has been released, ``snapshot`` is the last one, and
/// ``send(_:)`` returns `false`.
///
/// - Ordering: as for the aggregator.
/// - Concurrency: every member may be called from any thread, also from inside callbacks.
/// - Errors: an event that the state refuses is reported on ``Aggregator/rejections``, as the event of the whole.
/// - Complexity: a selection costs what it costs on the aggregator: no copy of the part is kept for it. With a key path
///   to a stored property it is read where it is.
public struct ScopedAggregator<Part: Sendable, Event: Sendable>: Sendable, Selectable {
  @usableFromInline let way: Way
  @usableFromInline let read: @Sendable () -> Part
  @usableFromInline let receive: @Sendable (Event) -> Bool

  /// The way to the part.
  @usableFromInline
  enum Way: Sendable {
    /// It is a stored property: its offset in the state, and its selector.
    case stored(Int, SelectorID, any SelectionTreeOwner)
    case computed(any Selectable<Part> & Sendable)
  }

  @inlinable
  init<State: AggregateState>(
    _ core: AggregatorCore<State>,
    _ part: any KeyPath<State, Part> & Sendable,
    _ event: @escaping @Sendable (Event) -> State.Event
  ) {
    let part = StateSelector(part)
    if let offset = part.offset {
      way = .stored(offset, part.id, core)
    } else {
      way = .computed(SelectablePart(core: core, part: part))
    }
    read = core.reader(of: part)
    receive = { core.receive(event($0), from: nil) }
  }

  /// The part in the present snapshot, see ``Aggregator/snapshot``.
  ///
  /// - Complexity: O(1), beside the cost of the key path.
  @inlinable
  public var snapshot: Part { read() }

  /// Sends an event of the part, as ``Aggregator/send(_:)`` sends one of the whole.
  ///
  /// - Returns: as ``Aggregator/send(_:)``.
  /// - Ordering: as for ``Aggregator/send(_:)``.
  /// - Complexity: as for ``Aggregator/send(_:)``.
  @inlinable
  @discardableResult
  public func send(_ event: Event) -> Bool { receive(event) }

  /// The selection of what a selector reads in the part.
  ///
  /// - Complexity: O(1).
  @inlinable
  public func selection<Field: Sendable>(of selector: StateSelector<Part, Field>) -> Selection<Field> {
    let read = read
    let enter: @Sendable (inout SelectionTree, QueueAccess) -> FieldNode<Field>
    let owner: any SelectionTreeOwner
    switch way {
    case .stored(let offset, let part, let core):
      // The type of the whole is not known here, and its address is used with the offset only.
      let inWhole = selector.inWhole(of: Part.self, at: offset, id: .path(part, selector.id))
      owner = core
      enter = { tree, access in
        let whole = tree.root.assumingMemoryBound(to: Part.self)
        return tree.branch.enter(inWhole, from: whole, below: nil, of: core)
      }
    case .computed(let parent):
      let selection = parent.selection(of: selector)
      owner = selection.owner
      enter = selection.enter
    }
    // All closures are made here, where the type of the field is known, so that they are specialised.
    return Selection(
      owner: owner,
      read: { selector(read()) },
      enter: enter,
      areEquivalent: selector.comparison.areEquivalent
    )
  }
}

extension Aggregator {
  /// A part of the state, with the events of that part: for a component that need not know the whole.
  ///
  ///     let radio = ship.scope(\.radio, sending: ShipEvent.radio)
  ///
  /// - Parameters:
  ///   - part: leads to the part.
  ///   - event: makes an event of the whole of an event of the part.
  /// - Complexity: O(1).
  @inlinable
  public func scope<Part: Sendable, Event: Sendable>(
    _ part: any KeyPath<State, Part> & Sendable,
    sending event: @escaping @Sendable (Event) -> State.Event
  ) -> ScopedAggregator<Part, Event> {
    ScopedAggregator(core, part, event)
  }
}

/// A part whose fields are selected in the whole, so that the part itself is not a selection that keeps a copy.
@usableFromInline
struct SelectablePart<State: AggregateState, Part: Sendable>: Selectable, Sendable {
  @usableFromInline let core: AggregatorCore<State>
  @usableFromInline let part: StateSelector<State, Part>

  @inlinable
  init(core: AggregatorCore<State>, part: StateSelector<State, Part>) {
    self.core = core
    self.part = part
  }

  @inlinable
  func selection<Field: Sendable>(of selector: StateSelector<Part, Field>) -> Selection<Field> {
    // The rows are read where they are, so the part is kept in a node.
    if Field.self == ObservedRows.self { return core.selection(of: part).selection(of: selector) }
    return core.selection(of: part.appending(selector))
  }
}
