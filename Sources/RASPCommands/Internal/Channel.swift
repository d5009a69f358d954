import Streams
import Synchronization

/// A channel, whatever its type of command.
@usableFromInline
protocol AnyChannel: AnyObject, Sendable {
  /// Removes the handler and all listeners, and delivers nothing any more.
  func close()

  #if DEBUG
    /// How often a listener was looked at.
    var visits: Int { get }
  #endif
}

/// Everything about one type of command: its handler, its listeners, and the lane in which they hear of events.
///
/// One lane for a type of command is what makes a slow reaction hold up its own kind only.
///
/// Safe to share: `handler` is behind its lock, `listeners` and `sweepAt` belong to the queue, the rest is atomic or does
/// not change.
@usableFromInline
final class Channel<Subject: Command>: AnyChannel {
  /// An event in the lane.
  @usableFromInline
  struct Delivery: Sendable {
    @usableFromInline let event: CommandEvent<Subject>
    /// `nil` for an event that no command caused.
    @usableFromInline let run: Run<Subject>?
    /// Whether it is the last one of its run.
    @usableFromInline let isLast: Bool

    @inlinable
    init(_ event: CommandEvent<Subject>, of run: Run<Subject>?, isLast: Bool) {
      self.event = event
      self.run = run
      self.isLast = isLast
    }
  }

  /// The handler, and how many there have been, so that a token takes out its own only.
  @usableFromInline
  struct HandlerSlot: Sendable {
    @usableFromInline private(set) var handling: Handling<Subject>?
    private(set) var registration = 0

    @usableFromInline
    init(_ handling: Handling<Subject>?) {
      self.handling = handling
    }

    /// - Returns: what was there, to be released after unlocking.
    mutating func put(_ newcomer: Handling<Subject>?) -> Handling<Subject>? {
      defer {
        handling = newcomer
        registration += 1
      }
      return handling
    }
  }

  @usableFromInline let queue = DeliveryQueue<Delivery>()
  @usableFromInline let listeners = Confined(ObjectList<Listener<Subject>>())
  @usableFromInline let lastOrder = Atomic<Int>(0)
  @usableFromInline let errors: ErrorReporter
  private let count = Atomic<Int>(0)
  @usableFromInline let handler: Lock<HandlerSlot>
  private let sweepAt = Confined(16)

  #if DEBUG
    @usableFromInline let visitCount = Atomic<Int>(0)
    @usableFromInline var visits: Int { visitCount.load(ordering: .relaxed) }
  #endif

  @usableFromInline
  init(reportingTo errors: ErrorReporter) {
    self.errors = errors
    handler = Lock(HandlerSlot(Handling.builtIn()))
  }

  // MARK: Handler

  @inlinable
  var handling: Handling<Subject>? { handler.withLock { $0.handling } }

  /// - Returns: a token that takes the handler out again when cancelled; `nil` if there is a handler already, and it is not
  ///   to be replaced.
  @usableFromInline
  func install(_ handling: Handling<Subject>, replacing: Bool) -> Subscription? {
    let (registration, previous) = handler.withLock { slot -> (Int?, Handling<Subject>?) in
      if slot.handling != nil, !replacing { return (nil, nil) }
      let previous = slot.put(handling)
      return (slot.registration, previous)
    }
    _ = consume previous
    guard let registration else { return nil }
    let token = Subscription { self.uninstall(registration) }
    token.detach()
    return token
  }

  /// Leaves a handler alone that has come in the meantime.
  private func uninstall(_ registration: Int) {
    let builtIn = Handling<Subject>.builtIn()
    let previous = handler.withLock { slot in
      slot.registration == registration ? slot.put(builtIn) : nil
    }
    _ = consume previous
  }

  // MARK: Events

  /// Delivers an event now, or has whoever is delivering do it; `false` once closed.
  @inlinable
  func submit(_ event: CommandEvent<Subject>, of run: Run<Subject>?, isLast: Bool) -> Bool {
    queue.submit(Delivery(event, of: run, isLast: isLast)) { deliver($0) }
  }

  @inlinable
  func deliver(_ delivery: Delivery) {
    if let run = delivery.run, !run.admits(delivery) { return }
    var wasHeard = false
    var own = delivery.run?.ownReaction
    // The list changes between two deliveries only, so it is walked in its place.
    listeners.value.forEach { listener in
      if let reaction = own, reaction.order < listener.order {
        own = nil
        wasHeard = react(reaction, to: delivery) || wasHeard
      }
      wasHeard = notify(listener, of: delivery) || wasHeard
    }
    if let own { wasHeard = react(own, to: delivery) || wasHeard }
    if !wasHeard, isWanted(delivery) { errors.report(.noListeners(Subject.self)) }
  }

  @inlinable
  func notify(_ listener: Listener<Subject>, of delivery: Delivery) -> Bool {
    #if DEBUG
      visitCount.wrappingAdd(1, ordering: .relaxed)
    #endif
    guard listener.lifetime.isActive, isWanted(delivery) else { return false }
    if listener.notify(delivery.event) { return true }
    listener.lifetime.terminate()
    return false
  }

  @inlinable
  func react(_ own: OwnReaction<Subject>, to delivery: Delivery) -> Bool {
    guard isWanted(delivery) else { return false }
    own.reaction(delivery.event)
    return true
  }

  /// Asked before each call, because any of them may close the channel or cancel the run.
  @inlinable
  func isWanted(_ delivery: Delivery) -> Bool {
    guard queue.isOpen else { return false }
    guard !delivery.isLast, let run = delivery.run else { return true }
    return !run.isCancelled
  }

  // MARK: Listeners

  /// How many listeners there are, for any thread.
  var listenerCount: Int { count.load(ordering: .acquiring) }

  /// Registers a listener behind all others, between two deliveries.
  @usableFromInline
  func listen(
    _ lifetime: Lifetime,
    notify: @escaping @Sendable (CommandEvent<Subject>) -> Bool,
    isAlive: (@Sendable () -> Bool)? = nil,
    finish: @escaping @Sendable () -> Void
  ) {
    queue.run {
      self.admit(lifetime, notify, isAlive, finish)
    } deliver: {
      deliver($0)
    }
  }

  private func admit(
    _ lifetime: Lifetime,
    _ notify: @escaping @Sendable (CommandEvent<Subject>) -> Bool,
    _ isAlive: (@Sendable () -> Bool)?,
    _ finish: @escaping @Sendable () -> Void
  ) {
    guard queue.isOpen else { return finish() }
    guard lifetime.isActive else { return }
    if listeners.value.count >= sweepAt.value { sweep() }
    let order = lastOrder.wrappingAdd(1, ordering: .acquiringAndReleasing).newValue
    count.wrappingAdd(1, ordering: .acquiringAndReleasing)
    listeners.value.append(
      Listener(order: order, lifetime: lifetime, notify: notify, isAlive: isAlive, finish: finish)
    )
    lifetime.onTermination { self.dismiss(lifetime) }
  }

  /// Ends the listeners whose owners are gone; without this they would pile up in a channel without events.
  private func sweep() {
    // What is removed here leaves the list behind this job, so it is counted by itself.
    let gone = listeners.value.objects.filter { $0.isAlive?() == false }
    for listener in gone { listener.lifetime.terminate() }
    sweepAt.value = max(16, (listeners.value.count - gone.count) * 2)
  }

  private func dismiss(_ lifetime: Lifetime) {
    let removed = queue.maintain {
      remove(lifetime)
    } orLater: {
      _ = self.remove(lifetime)
    }
    _ = consume removed
  }

  private func remove(_ lifetime: Lifetime) -> Listener<Subject>? {
    guard let index = listeners.value.firstIndex(where: { $0.lifetime === lifetime }) else { return nil }
    count.wrappingSubtract(1, ordering: .acquiringAndReleasing)
    return listeners.value.remove(at: index)
  }

  // MARK: End

  @usableFromInline
  func close() {
    let previous = handler.withLock { $0.put(nil) }
    _ = consume previous
    _ = queue.close({ self.finish() }, deliver: { deliver($0) })
  }

  private func finish() {
    let listeners = listeners.value.removeAll()
    count.store(0, ordering: .releasing)
    for listener in listeners { listener.finish() }
  }
}
