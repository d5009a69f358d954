/// What an operator that knows time does: a plain state machine. It is told of values, of instants it asked for, and of
/// the end, and sends on what is to be sent.
///
/// It has no lock and no timer; ``TimedStage`` is the shell that does.
protocol TimedMachine<Input, Output, Failure>: Sendable {
  associatedtype Input: Sendable
  associatedtype Output: Sendable
  associatedtype Failure: Error

  /// The instant to be woken at, `nil` for none. Looked at after each call.
  var wakeAt: Duration? { get }

  mutating func receive(_ value: Input, at now: Duration, _ observer: Observer<Output, Failure>)

  /// Time has reached `wakeAt`.
  mutating func wake(at now: Duration, _ observer: Observer<Output, Failure>)

  /// Upstream has finished. The result finishes when nothing is left to wake for.
  mutating func finish(at now: Duration, _ observer: Observer<Output, Failure>)
}

/// The shell around a ``TimedMachine``: one delivery queue for values and timers, one pending timer.
///
/// A failure passes at once and drops what waits and is not due yet; whoever cancels drops all of it.
///
/// Safe to share: the machine and the schedule are owned by the queue.
final class TimedStage<Machine: TimedMachine>: Sendable {
  private enum Input: Sendable {
    case value(Machine.Input)
    case wake(turn: Int)
    case finish
  }

  private struct Schedule: Sendable {
    var turn = 0
    /// When the pending timer fires; it may be earlier than what the machine wants by now, never later.
    var instant: Duration?
    var isFinishing = false
  }

  private let queue = DeliveryQueue<Input>()
  private let machine: Confined<Machine>
  private let schedule = Confined(Schedule())
  private let scheduler: any Scheduler
  private let observer: Observer<Machine.Output, Machine.Failure>
  private let upstream: Lifetime
  private let timer: SubscriptionSlot

  init(_ machine: Machine, on scheduler: any Scheduler, into observer: Observer<Machine.Output, Machine.Failure>) {
    self.machine = Confined(machine)
    self.scheduler = scheduler
    self.observer = observer
    upstream = Lifetime(within: observer.lifetime)
    timer = SubscriptionSlot(of: observer.lifetime)
  }

  /// The observer for upstream.
  var input: Observer<Machine.Input, Machine.Failure> {
    Observer(lifetime: upstream) { value in
      self.submit(.value(value))
    } onSignal: { signal in
      switch signal {
      case .end(.finished):
        self.upstream.terminate()
        self.submit(.finish)
      case .end(.failed(let failure)):
        self.upstream.terminate()
        _ = self.queue.close({ self.fail(failure) }, deliver: { self.deliver($0) })
      case .barrier(let resume):
        self.queue.run({ self.observer.signal(.barrier(resume)) }, deliver: { self.deliver($0) })
      }
    }
  }

  /// Looks for what the machine wants before the first value.
  func start() {
    queue.run({ self.reschedule() }, deliver: { deliver($0) })
  }

  private func submit(_ input: Input) {
    _ = queue.submit(input) { deliver($0) }
  }

  private func deliver(_ input: Input) {
    guard observer.lifetime.isActive else { return }
    let now = scheduler.now
    switch input {
    case .value(let value):
      wakeIfDue(at: now)
      machine.value.receive(value, at: now, observer)
    case .wake(let turn):
      guard turn == schedule.value.turn else { return }
      schedule.value.instant = nil
      wakeIfDue(at: now)
    case .finish:
      wakeIfDue(at: now)
      schedule.value.isFinishing = true
      machine.value.finish(at: now, observer)
    }
    reschedule()
  }

  private func fail(_ failure: Machine.Failure) {
    guard observer.lifetime.isActive else { return }
    wakeIfDue(at: scheduler.now)
    observer.end(.failed(failure))
  }

  /// A timer that is due at an instant comes before whatever else happens at it, whichever was scheduled earlier, so
  /// that a boundary does not depend on chance.
  private func wakeIfDue(at now: Duration) {
    if let instant = machine.value.wakeAt, instant <= now { machine.value.wake(at: now, observer) }
  }

  private func reschedule() {
    guard observer.lifetime.isActive else { return }
    let wanted = machine.value.wakeAt
    if wanted == nil, schedule.value.isFinishing { return observer.end(.finished) }
    if let pending = schedule.value.instant {
      // An early timer looks again when it fires: cheaper than a new timer for each value.
      if let wanted, pending <= wanted { return }
      schedule.value.turn += 1
      schedule.value.instant = nil
      timer.replace(with: nil, turn: schedule.value.turn)
    }
    guard let wanted else { return }
    schedule.value.turn += 1
    schedule.value.instant = wanted
    let turn = schedule.value.turn
    timer.replace(with: scheduler.schedule(at: wanted) { self.submit(.wake(turn: turn)) }, turn: turn)
  }
}

extension Observable {
  /// This stream through a machine of its own for each subscription.
  func timed<Machine: TimedMachine>(
    on scheduler: any Scheduler,
    _ machine: @escaping @Sendable (_ now: Duration) -> Machine
  ) -> Observable<Machine.Output, Failure> where Machine.Input == Element, Machine.Failure == Failure {
    let attach = attach
    return Observable<Machine.Output, Failure>(attach: { observer in
      let stage = TimedStage(machine(scheduler.now), on: scheduler, into: observer)
      stage.start()
      attach(stage.input)
    })
  }
}
