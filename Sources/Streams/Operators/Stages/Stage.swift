/// The shell around every ``StageMachine`` with several inputs or with a clock: one queue for the events of all inputs
/// and of the timer, one observer.
///
/// ```
///   inputs ──▶ ┌─────────────────┐  action   ┌ send, end ──▶ observer
///              │ queue ▶ machine │ ────────▶ ┤
///   timer ───▶ └─────────────────┘           └ wake me at … ──▶ timer
/// ```
///
/// The inputs are there from the start. Cancelling the observer cancels all of them and the timer at once, from any
/// thread.
///
/// Safe to share: nothing changes but the state, which belongs to the queue.
@usableFromInline
final class Stage<Machine: StageMachine>: Sendable {
  /// The state that the queue protects.
  @usableFromInline
  struct State {
    @usableFromInline var machine: Machine
    @usableFromInline var timer: StageTimer?
    @usableFromInline var hasEnded = false

    @inlinable
    init(_ machine: Machine, _ timer: StageTimer?) {
      self.machine = machine
      self.timer = timer
    }
  }

  @usableFromInline let queue: StageQueue
  @usableFromInline let state: QueueIsolated<State>
  @usableFromInline let observer: Observer<Machine.Output, Machine.Failure>
  @usableFromInline let inputs: [Lifetime]

  /// - Parameters:
  ///   - time: `nil` for a machine that never asks.
  ///   - count: the number of inputs; they have the numbers from 0 on.
  @inlinable
  init(
    _ machine: Machine,
    on time: StageTime?,
    inputs count: Int,
    into observer: Observer<Machine.Output, Machine.Failure>
  ) {
    queue = StageQueue(JobShell())
    let lifetime = observer.lifetime
    state = QueueIsolated(State(machine, time.map { StageTimer($0, of: lifetime) }))
    self.observer = observer
    inputs = (0..<count).map { _ in Lifetime(within: lifetime) }
  }

  /// Subscribes to one of the inputs.
  ///
  /// - Parameter value: transforms a value of this stream into the input of the machine.
  @inlinable
  @inline(__always)
  func attach<Element: Sendable>(
    _ stream: Observable<Element, Machine.Failure>,
    as input: Int,
    _ value: @escaping @Sendable (Element) -> Machine.Input
  ) {
    let lifetime = inputs[input]
    guard lifetime.isActive else { return }
    stream.attach(
      Observer(lifetime: lifetime) { element in
        self.send(value(element), from: input)
      } onEnd: { end in
        // Upstream is over at once, also while its end waits behind what it has sent.
        lifetime.terminate()
        self.queue.put { _, access in self.receive(end, of: input, access) }
      } onAcknowledge: { acknowledgement in
        self.queue.put { _, _ in self.observer.acknowledge(acknowledgement) }
      }
    )
  }

  @inlinable
  @inline(__always)
  func send(_ value: Machine.Input, from input: Int) {
    if let access = queue.enterIfIdle() {
      receive(value, from: input, access)
      queue.leaveOrDrain()
    } else {
      queue.put { _, access in self.receive(value, from: input, access) }
    }
  }

  // MARK: Events

  @inlinable
  @inline(never)
  func receive(_ value: Machine.Input, from input: Int, _ access: QueueAccess) {
    receive(.value(value, from: input), access)
  }

  @inlinable
  @inline(never)
  func receive(_ end: StreamEnd<Machine.Failure>, of input: Int, _ access: QueueAccess) {
    receive(.ended(end, input: input), access)
  }

  @inlinable
  @inline(__always)
  func receive(_ event: Machine.Event, _ access: QueueAccess) {
    guard !state[access].hasEnded, observer.lifetime.isActive else { return }
    var clock = clock(access)
    // A timer that is due at an instant comes before every other event of that instant, whichever was scheduled
    // earlier, so that a boundary does not depend on chance.
    if isDue(&clock, access), wake(&clock, access) { return }
    perform(state[access].machine.receive(event, &clock), access)
    setTimer(access)
  }

  // MARK: Time

  @inlinable
  @inline(__always)
  func clock(_ access: QueueAccess) -> StageClock {
    StageClock(of: Machine.isTimed ? state[access].timer?.time : nil)
  }

  @inlinable
  @inline(__always)
  func isDue(_ clock: inout StageClock, _ access: QueueAccess) -> Bool {
    guard Machine.isTimed, let instant = state[access].machine.wakeAt else { return false }
    return instant <= clock.now()
  }

  /// Wakes the machine as long as it is due.
  ///
  /// - Returns: whether the stage has ended.
  @inlinable
  @inline(never)
  func wake(_ clock: inout StageClock, _ access: QueueAccess) -> Bool {
    // It is the timer that brings this about, also if an event arrives before the timer does.
    CarriedCause.unknown.deliver {
      while !state[access].hasEnded, isDue(&clock, access) {
        perform(state[access].machine.receive(.woken, &clock), access)
      }
    }
    return state[access].hasEnded
  }

  /// Makes the timer fire when the machine wants to be woken, if it does not by itself. Also called before the inputs
  /// send anything, for a machine that wants to be woken then.
  @inlinable
  @inline(__always)
  func setTimer(_ access: QueueAccess) {
    guard Machine.isTimed else { return }
    if state[access].timer?.serves(state[access].machine.wakeAt) == false { setTimerAnew(access) }
  }

  @inlinable
  @inline(never)
  func setTimerAnew(_ access: QueueAccess) {
    guard !state[access].hasEnded, observer.lifetime.isActive else { return }
    state[access].timer?.set(to: state[access].machine.wakeAt) { generation in
      { self.queue.put { _, access in self.fire(generation, access) } }
    }
  }

  @inlinable
  @inline(never)
  func fire(_ generation: Int, _ access: QueueAccess) {
    guard !state[access].hasEnded, observer.lifetime.isActive,
      state[access].timer?.hasFired(generation) == true
    else { return }
    var clock = clock(access)
    if !wake(&clock, access) { setTimer(access) }
  }

  // MARK: Actions

  @inlinable
  @inline(__always)
  func perform(
    _ action: StageAction<Machine.Input, Machine.Output, Machine.Failure>,
    _ access: QueueAccess
  ) {
    assert(action.followed == nil, "A stage whose inputs are there from the start follows a new one.")
    if action.cause != .none {
      // The output was kept, or without an output the end.
      action.cause.deliver {
        if let output = action.output { observer.send(output) } else if let end = action.end { finish(end, access) }
      }
      if action.output != nil, let end = action.end { finish(end, access) }
    } else {
      if let output = action.output { observer.send(output) }
      if let end = action.end { finish(end, access) }
    }
  }

  @inlinable
  @inline(never)
  func finish(_ end: StreamEnd<Machine.Failure>, _ access: QueueAccess) {
    assert(!state[access].hasEnded, "A stage ended twice.")
    state[access].hasEnded = true
    let isFailure = if case .failed = end { true } else { false }
    for input in inputs { input.terminate(cuttingOff: isFailure) }
    observer.end(end)
  }
}

extension Observable {
  /// Makes a stream from inputs, with a machine of its own for each subscription.
  ///
  /// - Parameters:
  ///   - time: `nil` for a machine that never asks.
  ///   - count: the number of inputs.
  ///   - start: subscribes to the inputs.
  @inlinable
  static func stage<Machine: StageMachine>(
    on time: StageTime? = nil,
    inputs count: Int,
    _ machine: @escaping @Sendable (inout StageClock) -> Machine,
    start: @escaping @Sendable (Stage<Machine>) -> Void
  ) -> Observable where Machine.Output == Element, Machine.Failure == Failure {
    Observable(attach: { observer in
      var clock = StageClock(of: time)
      let stage = Stage(machine(&clock), on: time, inputs: count, into: observer)
      // A machine may want to be woken before its inputs send anything.
      if Machine.isTimed { stage.queue.put { _, access in stage.setTimer(access) } }
      start(stage)
    })
  }

  /// Sends this stream through a machine of its own for each subscription, as its only input, with the number 0.
  ///
  /// - Parameter time: `nil` for a machine that never asks.
  @inlinable
  func through<Machine: StageMachine>(
    on time: StageTime?,
    _ machine: @escaping @Sendable (inout StageClock) -> Machine
  ) -> Observable<Machine.Output, Failure> where Machine.Input == Element, Machine.Failure == Failure {
    Observable<Machine.Output, Failure>.stage(on: time, inputs: 1, machine) { stage in
      stage.attach(self, as: 0) { $0 }
    }
  }
}
