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
