import RASPPrimitives
import Streams
import Synchronization

/// The subscribers of one thing: a field, all states, or all events. It does not depend on the type of what they get.
///
/// The observers are in a subclass that knows the type. Calls go through a closure that is made where the type is
/// known, because such a closure is specialised and an overridden method is not.
///
/// Safe to share: the properties do not change or are atomic, and everything that changes is used by the owner of the
/// aggregator's queue. The class is not final, which is why the compiler cannot see that.
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
  private let list: UnsafeMutablePointer<ObserverList>
  /// The token of the observer to which a round has come in this group.
  final let nextToken = Atomic<Int>(0)
  // Numbers of observers and of groups are far from the limits of 32 bits, and there are many groups.
  /// The number of observers.
  @usableFromInline final let count = Atomic<Int32>(0)
  /// Its index among the groups that have observers.
  final let index = Atomic<Int32>(0)
  /// The position of the observer to which a round has come.
  final let cursor = Atomic<Int32>(0)

  /// - Parameters:
  ///   - observers: the list of observers, in memory of the subclass.
  ///   - tell: tells them.
  @usableFromInline
  init(_ observers: UnsafeMutablePointer<ObserverList>, tell: @escaping Tell) {
    list = observers
    self.tell = tell
  }

  final func observers(_ access: QueueAccess) -> UnsafeMutablePointer<ObserverList> {
    access.check()
    return list
  }

  @inlinable
  package final var isEmpty: Bool { count.load(ordering: .relaxed) == 0 }

  /// Begins a round in which several groups are told in one order.
  final func start(_ message: Message, _ access: QueueAccess) {
    var first = 0
    // No observer has a token below zero, so none is told.
    let token = tell(self, message, &first, 0, access)
    assert(token > 0, "A token is not positive.")
    cursor.store(Int32(first), ordering: .relaxed)
    nextToken.store(token, ordering: .relaxed)
  }

  /// Tells the observers whose tokens are below a limit.
  final func goOn(_ message: Message, below limit: Int, _ access: QueueAccess) {
    var current = Int(cursor.load(ordering: .relaxed))
    let token = tell(self, message, &current, limit, access)
    cursor.store(Int32(current), ordering: .relaxed)
    nextToken.store(token, ordering: .relaxed)
  }
}

/// The subscribers of all states, or of all events.
///
/// Safe to share: as its superclass.
@usableFromInline
package final class StreamGroup<Element: Sendable>: ObserverGroup, @unchecked Sendable {
  @usableFromInline
  package struct Contents: ~Copyable {
    @usableFromInline var observers = ObserverList()
    /// The element that the observers get in this round, until they have it.
    @usableFromInline package var element: Element?

    @inlinable init() {}
  }

  @usableFromInline package let contents: QueueIsolated<Contents>

  /// The group at a place, which is made there for the first subscriber.
  @inlinable
  package static func made(in place: inout StreamGroup?) -> StreamGroup {
    let group = place ?? StreamGroup()
    place = group
    return group
  }

  @inlinable
  package init() {
    contents = QueueIsolated(Contents())
    let observers = withUnsafeMutablePointer(to: &contents.pointer.pointee.observers) { $0 }
    super.init(observers) { group, message, position, limit, access in
      let group = unsafeDowncast(group, to: StreamGroup.self)
      let next = group.contents[access].observers.forEach(from: &position, below: limit) { object in
        let observer = unsafeDowncast(object, to: Observer<Element, Never>.self)
        switch message {
        case .value: if let element = group.contents[access].element { observer.send(element) }
        case .end: observer.end(.finished)
        }
      }
      // All have it. A copy of a state that stays would make the next event copy what it changes.
      if next == .max { group.contents[access].element = nil }
      return next
    }
  }
}
