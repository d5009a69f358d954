import Streams
import Synchronization

/// A lane of any type of command.
@usableFromInline
protocol AnyLane: AnyObject, Sendable {
  /// Removes the handler and all listeners. Nothing is delivered after that.
  func close()
}

/// One type of command in an engine: its handler, its listeners, and the queue that delivers its events.
///
/// Each type of command has a lane of its own, so a slow reaction delays its own type only.
///
/// Safe to share: the handler is behind its lock, the listeners belong to the queue, the rest is atomic or does not change.
@usableFromInline
final class Lane<CommandType: Command>: AnyLane {
  /// An event in the lane.
  @usableFromInline
  struct Delivery: Sendable {
    @usableFromInline let event: CommandEvent<CommandType>
    /// The run that published the event; `nil` for an event without a command.
    @usableFromInline let run: Run<CommandType>?
    /// Is `true` for the last event of its run.
    @usableFromInline let isLast: Bool

    @inlinable
    init(_ event: CommandEvent<CommandType>, of run: Run<CommandType>?, isLast: Bool) {
      self.event = event
      self.run = run
      self.isLast = isLast
    }
  }

  /// The handler, and the number of registrations so far, so that a token removes its own handler only.
  @usableFromInline
  struct HandlerSlot: Sendable {
    @usableFromInline private(set) var handler: AnyHandler<CommandType>?
    private(set) var registration = 0

    @usableFromInline
    init(_ handler: AnyHandler<CommandType>?) {
      self.handler = handler
    }

    /// - Returns: the handler that was there, to be released after unlocking.
    mutating func put(_ newcomer: AnyHandler<CommandType>?) -> AnyHandler<CommandType>? {
      defer {
        handler = newcomer
        registration += 1
      }
      return handler
    }
  }

  /// What the queue protects.
  @usableFromInline
  struct Shell: ~Copyable, DeliveryShell {
    @usableFromInline var listeners = ObserverList<Listener<CommandType>>()
    @usableFromInline let errors: ErrorReporter
    /// When the listeners whose owners are gone are looked for.
    private var sweepAt = 16

    @usableFromInline
    init(reportingTo errors: ErrorReporter) {
      self.errors = errors
    }

    @inlinable
    mutating func deliver(_ delivery: Delivery, _ access: QueueAccess) {
      if let run = delivery.run, !run.admits(delivery, access) { return }
      var wasHeard = false
      var own = delivery.run?.ownReaction
      listeners.forEach { listener in
        if let reaction = own, reaction.order < listener.order {
          own = nil
          wasHeard = react(reaction, to: delivery, access) || wasHeard
        }
        wasHeard = notify(listener, of: delivery, access) || wasHeard
      }
      if let own { wasHeard = react(own, to: delivery, access) || wasHeard }
      if !wasHeard, isWanted(delivery, access) { errors.report(.noListeners(CommandType.self)) }
    }

    @inlinable
    func notify(_ listener: Listener<CommandType>, of delivery: Delivery, _ access: QueueAccess) -> Bool {
      guard listener.lifetime.isActive, isWanted(delivery, access) else { return false }
      if listener.notify(delivery.event) { return true }
      listener.lifetime.terminate()
      return false
    }

    @inlinable
    func react(_ own: OwnReaction<CommandType>, to delivery: Delivery, _ access: QueueAccess) -> Bool {
      guard isWanted(delivery, access) else { return false }
      own.reaction(delivery.event)
      return true
    }

    /// Asked before each call, because any of them may close the lane or cancel the run.
    @inlinable
    func isWanted(_ delivery: Delivery, _ access: QueueAccess) -> Bool {
      guard access.isOpen else { return false }
      guard !delivery.isLast, let run = delivery.run else { return true }
      return !run.isCancelled
    }

    mutating func add(_ listener: Listener<CommandType>) {
      if listeners.count >= sweepAt { sweep() }
      listeners.append(listener, token: listener.order)
    }

    /// Ends the listeners whose owners are gone; without this they would pile up in a lane without events.
    private mutating func sweep() {
      // What is removed here leaves the list behind this job, so it is counted by itself.
      var gone: [Listener<CommandType>] = []
      listeners.forEach { listener in
        if listener.isAlive?() == false { gone.append(listener) }
      }
      for listener in gone { listener.lifetime.terminate() }
      sweepAt = max(16, (listeners.count - gone.count) * 2)
    }
  }

  @usableFromInline let queue: DeliveryQueue<Shell>
  @usableFromInline let lastOrder = Atomic<Int>(0)
  private let count = Atomic<Int>(0)
  @usableFromInline let handlerSlot: Lock<HandlerSlot>

  @usableFromInline
  init(reportingTo errors: ErrorReporter) {
    queue = DeliveryQueue(Shell(reportingTo: errors))
    handlerSlot = Lock(HandlerSlot(AnyHandler.builtIn()))
  }

  // MARK: Handler

  @inlinable
  var handler: AnyHandler<CommandType>? { handlerSlot.withLock { $0.handler } }

  /// - Returns: a token that removes the handler when it is cancelled; `nil` if there is a handler and it must not be
  ///   replaced.
  @usableFromInline
  func install(_ handler: AnyHandler<CommandType>, replacing: Bool) -> Subscription? {
    let (registration, previous) = handlerSlot.withLock { slot -> (Int?, AnyHandler<CommandType>?) in
      if slot.handler != nil, !replacing { return (nil, nil) }
      let previous = slot.put(handler)
      return (slot.registration, previous)
    }
    _ = consume previous
    guard let registration else { return nil }
    let token = Subscription { self.uninstall(registration) }
    token.detach()
    return token
  }

  /// Leaves a handler alone that has replaced this one.
  private func uninstall(_ registration: Int) {
    let builtIn = AnyHandler<CommandType>.builtIn()
    let previous = handlerSlot.withLock { slot in
      slot.registration == registration ? slot.put(builtIn) : nil
    }
    _ = consume previous
  }

  // MARK: Events

  /// Delivers an event now, or has the thread that delivers do it; returns `false` once the lane is closed.
  @inlinable
  func submit(_ event: CommandEvent<CommandType>, of run: Run<CommandType>?, isLast: Bool) -> Bool {
    queue.send(Delivery(event, of: run, isLast: isLast))
  }

  // MARK: Listeners

  /// The number of listeners, for any thread.
  var listenerCount: Int { count.load(ordering: .acquiring) }

  /// Registers a listener after all others, between two deliveries.
  @usableFromInline
  func listen(
    _ lifetime: Lifetime,
    notify: @escaping @Sendable (CommandEvent<CommandType>) -> Bool,
    isAlive: (@Sendable () -> Bool)? = nil,
    finish: @escaping @Sendable () -> Void
  ) {
    queue.run { shell, access in
      guard access.isOpen else { return finish() }
      guard lifetime.isActive else { return }
      let order = self.lastOrder.add(1, ordering: .acquiringAndReleasing).newValue
      let listener = Listener(
        order: order,
        lane: self,
        lifetime: lifetime,
        notify: notify,
        isAlive: isAlive,
        finish: finish
      )
      shell.add(listener)
      self.count.add(1, ordering: .acquiringAndReleasing)
      lifetime.onTermination(listener)
    }
  }

  /// Takes out a listener whose lifetime has ended.
  @usableFromInline
  func remove(_ listener: Listener<CommandType>) {
    count.subtract(1, ordering: .acquiringAndReleasing)
    queue.maintain { shell, _ in shell.listeners.remove(listener, token: listener.order) }
  }

  // MARK: End

  @usableFromInline
  func close() {
    let previous = handlerSlot.withLock { $0.put(nil) }
    _ = consume previous
    _ = queue.close { shell, _ in
      for listener in shell.listeners.removeAll() { listener.finish() }
    }
  }
}
