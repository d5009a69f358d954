import Streams
import Synchronization

/// The dispatch of one action by one cluster.
///
/// Safe to share: what changes is atomic or behind a lock.
final class ActionDispatch: Sendable {
  /// An action that was sent inside a non-reentrant section and waits until this dispatch is over.
  typealias Postponed = @Sendable (_ first: ActionDispatch) async -> Failures?

  let action: any Action
  let cluster: ObjectIdentifier
  /// Is `true` if the action is an error that was turned into an action, or is caused by one. Such an error does not
  /// become an action a second time.
  let isFeedback: Bool

  /// The dispatch in which this one takes place. Dispatches that are over are released, so that a task which outlives
  /// this one and sends for ever does not keep a chain of them.
  private let outer: Lock<ActionDispatch?>
  private let closed = Atomic<Bool>(false)
  /// The dispatch at whose end this one's postponed actions are sent; `nil` for this one, which is so unless it was
  /// itself postponed.
  private let first: ActionDispatch?
  private let postponed = Lock<[Postponed]>([])

  init(
    _ action: any Action,
    to cluster: ObjectIdentifier,
    isFeedback: Bool,
    in outer: ActionDispatch?,
    after first: ActionDispatch?
  ) {
    self.action = action
    self.cluster = cluster
    self.isFeedback = isFeedback
    self.outer = Lock(outer?.nearestOpen)
    self.first = first
  }

  var isOpen: Bool { !closed.load(ordering: .acquiring) }

  /// The dispatch that caused this one. It may still be running when this one is over: a task that this one left behind
  /// is part of it.
  var cause: ActionDispatch? { outer.withLock { $0 } }

  /// Postpones actions until the action that caused them has reached all its services.
  func postpone(_ actions: [Postponed]) {
    guard !actions.isEmpty else { return }
    (first ?? self).postponed.withLock { $0 += actions }
  }

  /// Sends the postponed actions, one after the other, and the actions that these postpone. However many follow, they
  /// take no more stack or memory than the first.
  func sendPostponed() async -> Failures? {
    var failures: Failures?
    while true {
      let batch = postponed.exchange(with: [])
      if batch.isEmpty { return failures }
      for send in batch { failures.add(await send(self)) }
    }
  }

  /// This dispatch if it is running, or the nearest one around it that is.
  private var nearestOpen: ActionDispatch? {
    var dispatch: ActionDispatch? = self
    while let current = dispatch, !current.isOpen { dispatch = current.cause }
    return dispatch
  }

  func close() {
    closed.store(true, ordering: .releasing)
    guard let cause else { return }
    outer.exchange(with: cause.nearestOpen)
  }
}
