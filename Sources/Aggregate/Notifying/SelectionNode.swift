import Streams

/// The subscribers of one thing: a field, all states, or all events. It does not depend on the type of what they get.
///
/// Calls go through a closure that is made where the type is known, because such a closure is specialised and an
/// overridden method is not.
///
/// Safe to share: everything that changes is used by the owner of the aggregator's queue only.
@usableFromInline
package class ObserverGroup: @unchecked Sendable {
  /// A message to the observers.
  @usableFromInline
  enum Message: Sendable {
    case value
    case end
  }

  /// Tells the observers from a position on whose tokens are below a limit.
  ///
  /// - Returns: the token of the next one, or `Int.max`.
  @usableFromInline
  typealias Tell =
    @Sendable (
      _ group: ObserverGroup, _ message: Message, _ position: inout Int, _ limit: Int, _ access: QueueAccess
    ) -> Int

  @usableFromInline final let tell: Tell
  /// Each is an `Observer` of what the group tells. The list does not know the type, so one list of code serves all
  /// groups.
  @exclusivity(unchecked) @usableFromInline final var observers = ObserverList()
  /// The token of the observer to which a round has come in this group.
  @exclusivity(unchecked) final var nextToken = 0
  // Numbers of observers and of groups are far from the limits of 32 bits, and there are many groups.
  /// Its index among the groups that have observers.
  @exclusivity(unchecked) final var index: Int32 = 0
  /// The position of the observer to which a round has come.
  @exclusivity(unchecked) final var cursor: Int32 = 0

  @usableFromInline
  init(tell: @escaping Tell) {
    self.tell = tell
  }

  @inlinable
  package final var isEmpty: Bool {
    @inline(__always) get { observers.count == 0 }
  }

  /// Calls `send` with the observers from a position on whose tokens are below a limit, or ends them.
  @inlinable
  @inline(__always)
  final func tell<Element: Sendable>(
    _ message: Message,
    _ position: inout Int,
    _ limit: Int,
    _ send: (Observer<Element, Never>) -> Void
  ) -> Int {
    observers.forEach(from: &position, below: limit) { object in
      let observer = unsafeDowncast(object, to: Observer<Element, Never>.self)
      switch message {
      case .value: send(observer)
      case .end: observer.end(.finished)
      }
    }
  }

  /// Tells the observers from a position on whose tokens are below a limit, and keeps where that has come to.
  final func goOn(_ message: Message, from position: Int, below limit: Int, _ access: QueueAccess) {
    var position = position
    nextToken = tell(self, message, &position, limit, access)
    cursor = Int32(position)
  }
}

/// The subscribers of all states, or of all events.
///
/// Safe to share: as its superclass.
@usableFromInline
package final class StreamGroup<Element: Sendable>: ObserverGroup, @unchecked Sendable {
  /// The element that the observers get in this round, until they have it.
  @usableFromInline package let element = QueueIsolated<Element?>(nil)

  /// The group at a place, which is made there for the first subscriber.
  @inlinable
  package static func made(in place: inout StreamGroup?) -> StreamGroup {
    let group = place ?? StreamGroup()
    place = group
    return group
  }

  @inlinable
  package init() {
    super.init { group, message, position, limit, access in
      let group = unsafeDowncast(group, to: StreamGroup.self)
      let next = group.tell(message, &position, limit) { (observer: Observer<Element, Never>) in
        if let element = group.element[access] { observer.send(element) }
      }
      // All have it. A copy of a state that stays would make the next event copy what it changes.
      if next == .max { group.element[access] = nil }
      return next
    }
  }
}

/// A selected field that has subscribers: its value in the snapshot that was evaluated last, what reads it anew, the
/// subscribers, and the selections below it.
///
/// Safe to share: as its superclass.
@usableFromInline
package class SelectionNode: ObserverGroup, @unchecked Sendable {
  // What each event needs stands first, so that it is on few cache lines.
  /// Reads the field anew from what is above it, and replaces the old one if it differs.
  @usableFromInline final let update: FieldUpdate
  /// The address of the field.
  @usableFromInline final let field: UnsafeMutableRawPointer
  @exclusivity(unchecked) @usableFromInline final var branch = SelectionBranch()
  /// The field, if it stands for a collection with keys.
  final let rows: ObservedRows?
  @usableFromInline final let id: SelectorID
  /// A part of the hash of the selector.
  final let hash: Int32
  /// Is `true` if the field was derived from inputs that are equal to the present ones, so that nothing has to be
  /// derived for a newcomer.
  private final let isDerived: Bool
  /// Its index in the branch it belongs to.
  @exclusivity(unchecked) final var position: Int32 = 0
  /// The next node of its branch whose selector has the same hash; it belongs to the branch.
  @exclusivity(unchecked) final var sameHash: SelectionNode?
  /// It is in the branch of its parent, which stays in the tree as long as that branch is not empty.
  @usableFromInline unowned final let parent: SelectionNode?
  /// The node keeps it alive as long as it has a subscriber, or a node below it has one; then the tree gives it up.
  @usableFromInline final let owner: any SelectionNodeOwner

  @usableFromInline
  init(
    id: SelectorID,
    hash: Int32,
    isDerived: Bool,
    below parent: SelectionNode?,
    of owner: any SelectionNodeOwner,
    rows: ObservedRows?,
    field: UnsafeMutableRawPointer,
    update: @escaping FieldUpdate,
    tell: @escaping Tell
  ) {
    self.id = id
    self.hash = hash
    self.isDerived = isDerived && parent == nil
    self.parent = parent
    self.owner = owner
    self.rows = rows
    self.field = field
    self.update = update
    super.init(tell: tell)
  }

  /// Is `true` if the field is that of the present state. It is if the node was made for the present subscriber, and so
  /// were all nodes above it: it has then just been read.
  @usableFromInline
  final func isPresent(_ access: QueueAccess) -> Bool {
    access.check()
    if isDerived { return true }
    guard isEmpty, branch.isEmpty else { return false }
    var next = parent
    while let node = next {
      guard node.isEmpty, node.branch.count == 1 else { return false }
      next = node.parent
    }
    return true
  }
}

/// A selection node, with the type of its field.
///
/// Safe to share: as its superclass.
@usableFromInline
package final class FieldNode<Field: Sendable>: SelectionNode, ObserverSource, @unchecked Sendable {
  @usableFromInline let value: QueueIsolated<Field>

  @inlinable
  init(
    _ use: (field: Field, update: FieldUpdate),
    id: SelectorID,
    hash: Int32,
    isDerived: Bool,
    below parent: SelectionNode?,
    _ owner: any SelectionNodeOwner
  ) {
    value = QueueIsolated(use.field)
    super.init(
      id: id,
      hash: hash,
      isDerived: isDerived,
      below: parent,
      of: owner,
      rows: use.field as? ObservedRows,
      field: UnsafeMutableRawPointer(value.pointer),
      update: use.update
    ) { group, message, position, limit, access in
      let node = unsafeDowncast(group, to: FieldNode.self)
      return node.tell(message, &position, limit) { (observer: Observer<Field, Never>) in
        observer.send(node.value[access])
      }
    }
  }

  /// Takes an observer out, and the node if it was the last one.
  @usableFromInline
  package func remove(_ observer: AnyObject) {
    let observer = unsafeDowncast(observer, to: Observer<Field, Never>.self)
    owner.remove(observer, token: observer.token, from: self)
  }
}

/// The part of an aggregator that a node needs, without the type of the state.
@usableFromInline
package protocol SelectionNodeOwner: AnyObject, Sendable {
  /// Takes an observer out of a node, and the node out of the tree if it has neither subscribers nor nodes below it.
  ///
  /// - Parameter token: that of the observer.
  func remove(_ observer: any AnyObject & Sendable, token: Int, from node: SelectionNode)

  func report(_ diagnostic: AggregatorDiagnostic)
}
