/// The shell around every ``StageMachine``: one delivery queue for the events of all inputs and of the timer, one
/// observer.
///
/// ```
///   inputs ──▶ ┌─────────────────┐  action   ┌ cancel an input
///              │ queue ▶ machine │ ────────▶ ├ send, end ──▶ observer
///   timer ───▶ └─────────────────┘           ├ wake me at … ──▶ timer
///                                            └ subscribe ──▶ a new input, when the queue is free
/// ```
///
/// Subscribing waits until the queue is free. A stream may send as soon as it is subscribed to, and then its values are
/// delivered at once and do not pile up in the line. Subscriptions wait for each other, so a stream that fails as soon
/// as it is subscribed to does not nest its tries.
///
/// Cancelling the observer cancels all inputs and the timer at once, from any thread.
@usableFromInline
struct StageShell<Machine: StageMachine>: ~Copyable, DeliveryShell {
  @usableFromInline typealias Value = StageEvent<Machine.Input, Machine.Failure>

  @inlinable
  static var hasFollowUps: Bool { true }

  @usableFromInline var machine: Machine
  @usableFromInline let observer: Observer<Machine.Output, Machine.Failure>
  @usableFromInline let inputs: StageInputs
  @usableFromInline let scheduler: (any Scheduler)?
  @usableFromInline var timer: StageTimer?
  @usableFromInline var followUp: (@Sendable () -> Void)?
  @usableFromInline var hasEnded = false

  @inlinable
  init(
    _ machine: Machine,
    on scheduler: (any Scheduler)?,
    into observer: Observer<Machine.Output, Machine.Failure>,
    _ inputs: StageInputs
  ) {
    self.machine = machine
    self.observer = observer
    self.inputs = inputs
    self.scheduler = scheduler
    if let scheduler { timer = StageTimer(on: scheduler, of: observer.lifetime) }
  }

  @inlinable
  mutating func deliver(_ event: Value, _ access: QueueAccess) {
    guard !hasEnded, observer.lifetime.isActive else { return }
    var clock = StageClock(scheduler)
    if case .woken(let generation) = event {
      guard timer?.hasFired(generation) == true else { return }
      wakeIfDue(&clock, access)
    } else {
      // A timer that is due at an instant comes before every other event of that instant, whichever was scheduled
      // earlier, so that a boundary does not depend on chance.
      wakeIfDue(&clock, access)
      if !hasEnded { perform(machine.receive(event, &clock), access) }
    }
    scheduleTimer(access)
  }

  @inlinable
  mutating func wakeIfDue(_ clock: inout StageClock, _ access: QueueAccess) {
    while !hasEnded, let instant = machine.wakeAt, instant <= clock.now() {
      // It is the timer that brings this about, also if an event arrives before the timer does.
      CarriedCause.unknown.deliver { perform(machine.receive(.woken(generation: 0), &clock), access) }
    }
  }

  @inlinable
  mutating func scheduleTimer(_ access: QueueAccess) {
    guard timer != nil, !hasEnded, observer.lifetime.isActive else { return }
    let queue = access.queue(of: Self.self)
    timer?.set(to: machine.wakeAt) { generation in _ = queue.send(.woken(generation: generation)) }
  }

  @inlinable
  @inline(__always)
  mutating func perform(_ action: StageAction<Machine.Input, Machine.Output, Machine.Failure>, _ access: QueueAccess) {
    if let cancelled = action.cancelled { inputs.remove(cancelled)?.terminate() }
    if action.cause != .none { return performKept(action, access) }
    if let output = action.output { observer.send(output) }
    if let followed = action.followed { follow(followed.stream, as: followed.input, access) }
    if let end = action.end { finish(end) }
  }

  /// Performs an action whose output, or end, was kept.
  @inlinable
  mutating func performKept(
    _ action: StageAction<Machine.Input, Machine.Output, Machine.Failure>,
    _ access: QueueAccess
  ) {
    assert(action.followed == nil, "A stage keeps an input that it is to follow.")
    if let output = action.output {
      action.cause.deliver { observer.send(output) }
      if let end = action.end { finish(end) }
    } else if let end = action.end {
      action.cause.deliver { finish(end) }
    }
  }

  @inlinable
  mutating func follow(
    _ stream: Observable<Machine.Input, Machine.Failure>,
    as input: Int,
    _ access: QueueAccess
  ) {
    assert(followUp == nil, "A stage subscribes to two inputs in one step.")
    let queue = access.queue(of: Self.self)
    let inputs = inputs
    let lifetime = inputs.add(input)
    let cause = CarriedCause.current
    followUp = {
      cause.deliver { inputs.subscribe { queue.attach(stream, as: input, lifetime) { $0 } } }
    }
  }

  @usableFromInline
  mutating func finish(_ end: StreamEnd<Machine.Failure>) {
    assert(!hasEnded, "A stage ended twice.")
    hasEnded = true
    inputs.cancelAll()
    observer.end(end)
  }

  @inlinable
  mutating func takeFollowUp() -> (@Sendable () -> Void)? { followUp.take() }
}

extension DeliveryQueue where Shell: ~Copyable {
  /// Subscribes a stage to one of its inputs.
  ///
  /// - Parameters:
  ///   - lifetime: as the stage's ``StageInputs`` gave it.
  ///   - value: transforms a value of this stream into the input of the machine.
  @inlinable
  @inline(__always)
  func attach<Machine: StageMachine, Element: Sendable>(
    _ stream: Observable<Element, Machine.Failure>,
    as input: Int,
    _ lifetime: Lifetime,
    _ value: @escaping @Sendable (Element) -> Machine.Input
  ) where Shell == StageShell<Machine> {
    guard lifetime.isActive else { return }
    stream.attach(
      // The queue of a stage is never closed, so it refuses nothing.
      Observer(lifetime: lifetime) { element in
        _ = self.send(.value(value(element), from: input))
      } onEnd: { end in
        // Upstream is over at once, also while its end waits behind what it has sent.
        lifetime.terminate()
        _ = self.send(.ended(end, input: input))
      } onAcknowledge: { acknowledgement in
        self.run { shell, _ in shell.observer.acknowledge(acknowledgement) }
      }
    )
  }
}

/// The inputs of one stage, which are cancelled when the stage is over.
///
/// Safe to share: the lifetimes are behind the lock, and they are ended after unlocking.
@usableFromInline
final class StageInputs: Sendable {
  /// `nil` once the stage is over.
  private let lifetimes = Lock<OrderedDictionary<Int, Lifetime>?>(OrderedDictionary())
  /// Runs the subscriptions one after the other.
  private let subscribing = DeliveryQueue(JobShell())

  @usableFromInline
  init(of parent: Lifetime) {
    parent.onTermination { self.cancelAll() }
  }

  /// Makes a lifetime for an input. It has ended already if the stage is over.
  @usableFromInline
  func add(_ input: Int) -> Lifetime {
    let lifetime = Lifetime()
    let isOpen = lifetimes.withLock { lifetimes in
      lifetimes?.add(lifetime, for: input)
      return lifetimes != nil
    }
    if isOpen {
      lifetime.onTermination { _ = self.remove(input) }
    } else {
      lifetime.terminate()
    }
    return lifetime
  }

  @usableFromInline
  func remove(_ input: Int) -> Lifetime? {
    lifetimes.withLock { $0?.remove(input) }
  }

  @usableFromInline
  func cancelAll() {
    for lifetime in lifetimes.exchange(with: nil)?.values ?? [] { lifetime.terminate() }
  }

  @usableFromInline
  func subscribe(_ attach: @escaping @Sendable () -> Void) {
    subscribing.run { _, _ in attach() }
  }
}

extension Observable {
  /// Makes a stream from inputs, with a machine of its own for each subscription.
  ///
  /// - Parameters:
  ///   - scheduler: the source of time; `nil` for a machine that never asks.
  ///   - start: subscribes to the first inputs.
  @inlinable
  static func stage<Machine: StageMachine>(
    on scheduler: (any Scheduler)? = nil,
    _ machine: @escaping @Sendable (inout StageClock) -> Machine,
    start: @escaping @Sendable (DeliveryQueue<StageShell<Machine>>, StageInputs) -> Void
  ) -> Observable where Machine.Output == Element, Machine.Failure == Failure {
    Observable(attach: { observer in
      let inputs = StageInputs(of: observer.lifetime)
      var clock = StageClock(scheduler)
      let machine = machine(&clock)
      let isTimed = machine.wakeAt != nil
      let queue = DeliveryQueue(StageShell(machine, on: scheduler, into: observer, inputs))
      // A machine may want to be woken before its inputs send anything.
      if isTimed { queue.run { shell, access in shell.scheduleTimer(access) } }
      start(queue, inputs)
    })
  }

  /// Sends this stream through a machine of its own for each subscription, as its only input, with the number 0.
  @inlinable
  func through<Machine: StageMachine>(
    on scheduler: (any Scheduler)? = nil,
    _ machine: @escaping @Sendable (inout StageClock) -> Machine
  ) -> Observable<Machine.Output, Failure> where Machine.Input == Element, Machine.Failure == Failure {
    Observable<Machine.Output, Failure>.stage(on: scheduler, machine) { queue, inputs in
      queue.attach(self, as: 0, inputs.add(0)) { $0 }
    }
  }
}
