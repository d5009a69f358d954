import Streams
import Synchronization

/// One action on its way through one cluster.
///
/// Safe to share: what changes is atomic or behind a lock.
final class Delivery: Sendable {
  /// An action that was sent in the middle of a turn and waits until this delivery is over.
  typealias Postponed = @Sendable (_ first: Delivery) async -> Failures?

  let action: any Action
  let cluster: ObjectIdentifier
  /// Whether the action was an error, or is caused by one that was turned into an action: errors are not turned into
  /// actions a second time.
  let isFeedback: Bool

  /// The delivery in which this one takes place. Those that are over are let go of, so that a task that outlives this one
  /// and sends for ever does not keep a chain of them.
  private let outer: Lock<Delivery?>
  private let closed = Atomic<Bool>(false)
  /// The delivery at whose end this one's postponed actions are sent: itself, unless it was postponed.
  private let first: Delivery?
  private let postponed = Lock<[Postponed]>([])

  init(
    _ action: any Action,
    to cluster: ObjectIdentifier,
    isFeedback: Bool,
    in outer: Delivery?,
    after first: Delivery?
  ) {
    self.action = action
    self.cluster = cluster
    self.isFeedback = isFeedback
    self.outer = Lock(outer?.nearestOpen)
    self.first = first
  }

  var isOpen: Bool { !closed.load(ordering: .acquiring) }

  /// The delivery that caused this one. It may be under way when this one is over: a task that this one left behind is
  /// still part of it.
  var cause: Delivery? { outer.withLock { $0 } }

  /// Puts actions in line, to be sent when the action that caused them has reached everybody.
  func postpone(_ actions: [Postponed]) {
    guard !actions.isEmpty else { return }
    (first ?? self).postponed.withLock { $0 += actions }
  }

  /// Sends what was postponed, one after the other, also what that postpones in turn. However long it goes on, it takes
  /// no more stack or memory than the first.
  func sendPostponed() async -> Failures? {
    var failures: Failures?
    while true {
      let batch = postponed.exchange(with: [])
      if batch.isEmpty { return failures }
      for send in batch { failures.add(await send(self)) }
    }
  }

  /// This delivery if it is under way, or the nearest one around it that is.
  private var nearestOpen: Delivery? {
    var delivery: Delivery? = self
    while let current = delivery, !current.isOpen { delivery = current.cause }
    return delivery
  }

  func close() {
    closed.store(true, ordering: .releasing)
    guard let cause else { return }
    outer.exchange(with: cause.nearestOpen)
  }
}
