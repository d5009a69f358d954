import RASPSupport
public import Streams
import Synchronization

/// The events of one type of command in an engine: their listeners, and the queue that delivers.
///
/// ```
///   submit ──▶ queue ──▶ run: admitted? ──▶ listener 1 ──▶ listener 2 ──▶ own reaction ──▶ listener 3
///                                           └──────────── in the order of registration ───────────┘
/// ```
///
/// Each type of command has a lane of its own, so a slow reaction delays its own type only. A lane knows events and
/// their runs; it does not know how commands are carried out.
///
/// Invariant: no event of a run is delivered after its last one.
///
/// Safe to share: the listeners belong to the queue, the rest is atomic or does not change.
@usableFromInline
final class Lane<CommandType: Command>: Sendable {
  /// An event in the lane.
  @usableFromInline
  struct Delivery: Sendable {
    @usableFromInline let event: CommandEvent<CommandType>
    /// The run that has published the event; `nil` for an event without a command.
    @usableFromInline let run: Run?
    @usableFromInline let own: OwnReaction<CommandType>?
    /// Is `true` for the last event of its run.
    @usableFromInline let isLast: Bool

    @inlinable
    init(
      _ event: CommandEvent<CommandType>,
      of run: Run?,
      own: OwnReaction<CommandType>?,
      isLast: Bool
    ) {
      self.event = event
      self.run = run
      self.own = own
      self.isLast = isLast
    }
  }

  /// What the queue protects.
  @usableFromInline
  struct Shell: ~Copyable, DeliveryShell {
    @usableFromInline var listeners = ObserverList()
    @usableFromInline let errors: ErrorReporter
    /// When the listeners whose owners are gone are looked for.
    private var sweepAt = 16

    @usableFromInline
    init(reportingTo errors: ErrorReporter) {
      self.errors = errors
    }

    @inlinable
    mutating func deliver(_ delivery: Delivery, _ access: QueueAccess) {
      if let run = delivery.run {
        switch run.admit(isLast: delivery.isLast) {
        case .deliver: break
        case .withdrawn: return
        case .tooLate: return reportTooLate(delivery)
        }
      }
      var wasHeard = false
      if delivery.own == nil {
        forEachListener { wasHeard = notify($0, of: delivery, access) || wasHeard }
      } else {
        wasHeard = deliverWithOwn(delivery, access)
      }
      if !wasHeard, isWanted(delivery, access) { reportUnheard(delivery) }
    }

    /// Apart, so that the way of an event that is heard has nothing of it.
    @inlinable
    @inline(never)
    func reportUnheard(_ delivery: Delivery) { errors.reportNoListeners(to: delivery.event) }

    @inlinable
    @inline(never)
    func reportTooLate(_ delivery: Delivery) { errors.reportPublishedTooLate(delivery.event) }

    @inlinable
    func deliverWithOwn(_ delivery: Delivery, _ access: QueueAccess) -> Bool {
      var wasHeard = false
      var own = delivery.own
      forEachListener { listener in
        if let reaction = own, reaction.order < listener.order {
          own = nil
          wasHeard = react(reaction, to: delivery, access) || wasHeard
        }
        wasHeard = notify(listener, of: delivery, access) || wasHeard
      }
      if let own { wasHeard = react(own, to: delivery, access) || wasHeard }
      return wasHeard
    }

    @inlinable
    func notify(_ listener: Listener<CommandType>, of delivery: Delivery, _ access: QueueAccess) -> Bool {
      guard listener.lifetime.isActive, isWanted(delivery, access) else { return false }
      if listener.receiver.notify(delivery.event) { return true }
      listener.lifetime.terminate()
      return false
    }

    @inlinable
    func react(_ own: OwnReaction<CommandType>, to delivery: Delivery, _ access: QueueAccess) -> Bool {
      guard isWanted(delivery, access) else { return false }
      own.reaction(delivery.event)
      return true
    }

    /// Asked before each call, because any of them may close the lane or cancel the execution.
    @inlinable
    func isWanted(_ delivery: Delivery, _ access: QueueAccess) -> Bool {
      guard access.isOpen else { return false }
      guard !delivery.isLast, let run = delivery.run else { return true }
      return !run.isWithdrawn
    }

    @inlinable
    @inline(__always)
    func forEachListener(_ body: (Listener<CommandType>) -> Void) {
      listeners.forEach { body(unsafeDowncast($0, to: Listener<CommandType>.self)) }
    }

    @usableFromInline
    mutating func add(_ listener: Listener<CommandType>) {
      if listeners.count >= sweepAt { sweep() }
      listeners.append(listener, token: listener.order)
    }

    /// Ends the listeners whose owners are gone; without this they would pile up in a lane without events.
    private mutating func sweep() {
      // What is removed here leaves the list behind this job, so it is counted by itself.
      var gone: [Listener<CommandType>] = []
      forEachListener { listener in
        if !listener.receiver.isAlive { gone.append(listener) }
      }
      for listener in gone { listener.lifetime.terminate() }
      sweepAt = max(16, (listeners.count - gone.count) * 2)
    }
  }

  @usableFromInline let queue: DeliveryQueue<Shell>
  @usableFromInline let hook: OccurrenceHook
  @usableFromInline let lastOrder = Atomic<Int>(0)
  @usableFromInline let count = Atomic<Int>(0)
  /// The number of listeners that get errors.
  @usableFromInline let rescuers = Atomic<Int>(0)

  @usableFromInline
  init(reportingTo errors: ErrorReporter, _ hook: OccurrenceHook) {
    self.hook = hook
    queue = DeliveryQueue(Shell(reportingTo: errors))
  }

  // MARK: Events

  /// Delivers an event now, or has the thread that delivers do it; returns `false` once the lane is closed.
  @inlinable
  func submit(
    _ event: CommandEvent<CommandType>,
    of run: Run?,
    own: OwnReaction<CommandType>?,
    isLast: Bool
  ) -> Bool {
    let delivery = Delivery(event, of: run, own: own, isLast: isLast)
    return ThreadCause.isCarried ? submitCarried(delivery) : queue.send(delivery)
  }

  /// Tells a run that has its outcome when all its events have been delivered: now, or by the thread that delivers.
  @usableFromInline
  func tellWhenDelivered(_ run: Run) {
    if queue.isIdle { run.deliver() } else { queue.run { _, _ in run.deliver() } }
  }

  // MARK: Listeners

  /// The number of listeners, for any thread.
  var listenerCount: Int { count.load(ordering: .acquiring) }

  /// The number of listeners that get errors, for any thread.
  @usableFromInline var rescuerCount: Int { rescuers.load(ordering: .acquiring) }

  /// The order of the listener that was registered last.
  @inlinable var newestOrder: Int { lastOrder.load(ordering: .acquiring) }

  /// Registers a listener after all others, between two deliveries.
  @inlinable
  @inline(never)
  func listen(_ lifetime: Lifetime, _ receiver: Receiver<CommandType>) {
    queue.run { shell, access in
      guard access.isOpen else { return receiver.finish(lifetime) }
      guard lifetime.isActive else { return }
      let order = self.lastOrder.add(1, ordering: .acquiringAndReleasing).newValue
      let listener = Listener(order: order, lane: self, lifetime: lifetime, receiver: receiver)
      shell.add(listener)
      self.count.add(1, ordering: .acquiringAndReleasing)
      if receiver.getsErrors { self.rescuers.add(1, ordering: .acquiringAndReleasing) }
      lifetime.onTermination(listener)
    }
  }

  /// Takes out a listener whose lifetime has ended.
  @usableFromInline
  func remove(_ listener: Listener<CommandType>) {
    count.subtract(1, ordering: .acquiringAndReleasing)
    if listener.receiver.getsErrors { rescuers.subtract(1, ordering: .acquiringAndReleasing) }
    queue.runWithoutDelivering { shell, _ in shell.listeners.remove(listener, token: listener.order) }
  }

  // MARK: End

  /// Removes all listeners. Nothing is delivered after that.
  func close() {
    _ = queue.close { shell, _ in
      let listeners = shell.listeners.removeAll()
      listeners.forEach {
        let listener = unsafeDowncast($0, to: Listener<CommandType>.self)
        listener.receiver.finish(listener.lifetime)
      }
    }
  }
}

/// What gets the events of a type of command.
@usableFromInline
enum Receiver<CommandType: Command>: Sendable {
  case reaction(Reaction<CommandType.Output>)
  case subscriber(Observer<CommandEvent<CommandType>, Never>)
  /// Something that belongs to an object.
  ///
  /// - Parameters:
  ///   - getsErrors: whether it does something with an error.
  ///   - notify: hands an event over; returns `false` if the owner is gone.
  ///   - isAlive: returns `true` if the owner is alive.
  ///   - finish: called when the engine does not publish any more.
  case owned(
    getsErrors: Bool,
    notify: @Sendable (CommandEvent<CommandType>) -> Bool,
    isAlive: @Sendable () -> Bool,
    finish: @Sendable () -> Void
  )

  /// Hands an event over; returns `false` if the receiver is gone.
  @inlinable
  func notify(_ event: CommandEvent<CommandType>) -> Bool {
    switch self {
    case .reaction(let reaction): reaction(event)
    case .subscriber(let observer): observer.send(event)
    case .owned(_, let notify, _, _): return notify(event)
    }
    return true
  }

  /// Is `false` if its owner is gone.
  var isAlive: Bool {
    if case .owned(_, _, let isAlive, _) = self { isAlive() } else { true }
  }

  /// Is `true` if it does something with an error.
  @usableFromInline var getsErrors: Bool {
    switch self {
    case .reaction(let reaction): reaction.rescue != nil
    case .subscriber: true
    case .owned(let getsErrors, _, _, _): getsErrors
    }
  }

  /// Ends it, because the engine does not publish any more.
  ///
  /// - Parameter lifetime: the time in which it listens.
  @usableFromInline
  func finish(_ lifetime: Lifetime) {
    switch self {
    case .reaction: lifetime.terminate()
    case .subscriber(let observer): observer.end(.finished)
    case .owned(_, _, _, let finish): finish()
    }
  }
}

/// A receiver of the events of a type of command, at its position among the others.
///
/// What it does is an enumeration and not a closure: a reaction that leaves then releases one object less.
@usableFromInline
final class Listener<CommandType: Command>: LifetimeEnding {
  /// Rises with each registration.
  @usableFromInline let order: Int
  /// The lane that it is in, which it leaves when its lifetime ends.
  @usableFromInline let lane: Lane<CommandType>
  @usableFromInline let lifetime: Lifetime
  @usableFromInline let receiver: Receiver<CommandType>

  @inlinable
  init(order: Int, lane: Lane<CommandType>, lifetime: Lifetime, receiver: Receiver<CommandType>) {
    self.order = order
    self.lane = lane
    self.lifetime = lifetime
    self.receiver = receiver
  }

  @usableFromInline
  func lifetimeEnded() {
    lane.remove(self)
  }
}
