import Streams

/// The two steps of ending an execution from outside.
@usableFromInline
struct Canceller: Sendable {
  private let task: Task<Void, Never>?
  /// Publishes the last event and settles the execution.
  let complete: @Sendable (any Error) -> Void

  @usableFromInline
  init(task: Task<Void, Never>?, complete: @escaping @Sendable (any Error) -> Void) {
    self.task = task
    self.complete = complete
  }

  /// Cancels the task.
  func stop() { task?.cancel() }
}

/// The last attempt to carry out a command at the end of its middleware. The run keeps it, so it does not know the type
/// of the result: an object for it would look up types when it is released.
@usableFromInline
struct Attempt: Sendable {
  /// The result; `nil` if there is none.
  @usableFromInline let output: (any Sendable)?
  /// Is `true` if there was no handler. The error alone does not tell: a handler that executes the command on another
  /// engine may get the same from there.
  @usableFromInline let isUndelivered: Bool

  @inlinable
  init(_ output: (any Sendable)?, isUndelivered: Bool = false) {
    self.output = output
    self.isUndelivered = isUndelivered
  }

  /// Returns whether an error says that there was no handler for the last attempt.
  @usableFromInline
  func isUndelivered(_ error: any Error, _ command: any Command.Type) -> Bool {
    isUndelivered && error as? EngineError == .noHandler(command)
  }
}

/// The phases of a run.
///
/// ```
///   open ──finished──▶ over
///     └──cancelled, timed out──▶ withdrawn
/// ```
@usableFromInline
enum RunPhase {
  /// The handler may publish.
  @usableFromInline static var open: UInt8 { 0 }
  /// The handler has returned or thrown.
  @usableFromInline static var over: UInt8 { 1 }
  /// The execution was ended from outside; only its last event is wanted.
  @usableFromInline static var withdrawn: UInt8 { 2 }
}

/// What a lane does with an event of a run.
@usableFromInline
enum EventAdmission: Sendable {
  case deliver
  /// The event comes after the last one, though one thread published while another ended the execution.
  case tooLate
  case withdrawn
}

/// One execution: a pure machine, event in and action out. ``Run`` is the shell that locks, asks, unlocks and acts.
///
/// ```
///             finished                    settled            delivered
///   open ─────────────────▶ over      ──────────────▶ settled ───────▶ delivered
///     │                                   ▲
///     └───────────────────▶ withdrawn ────┘
///             cancelled, timed out
/// ```
///
/// Invariants:
/// - The first end counts: `finish` or `withdraw` succeeds once.
/// - There is an outcome exactly when the execution is settled, and it does not change.
/// - A waiter is handed out once; none is kept after the last event has been delivered.
///
/// It does not know the type of the output, so that making and releasing an execution looks up no generic types.
struct RunMachine<Waiter: Sendable>: Sendable {
  /// Those who wait, in the order of their arrival. The first one takes no memory of its own: most have no others.
  struct Waiters: Sendable {
    var first: Waiter?
    var others: [Waiter] = []
  }

  private(set) var phase = RunPhase.open
  /// An ``Outcome`` of the type of the command.
  private(set) var outcome: (any Sendable)?
  private(set) var publication: Outcome<Void>?
  /// The place of the execution in the line of its policy, until it is settled.
  private(set) var place: Place?
  private var isDelivered = false
  private var canceller: Canceller?
  private var waiters = Waiters()
  /// The last attempt to carry out the command behind middleware.
  private var attempt: Attempt?

  var isSettled: Bool { outcome != nil }

  /// The handler has returned or thrown, or the middleware has ended the way of the command.
  ///
  /// - Returns: `false` if the execution has ended before.
  mutating func finish() -> Bool {
    guard phase == RunPhase.open else { return false }
    phase = RunPhase.over
    return true
  }

  /// The execution can be ended from outside from now on; a second canceller replaces the first.
  ///
  /// - Returns: the canceller to be released after unlocking, and whether the execution has been withdrawn, so that
  ///   what the newcomer would stop is to be stopped now.
  mutating func begin(_ newcomer: Canceller) -> (released: Canceller?, stops: Bool) {
    if isSettled { return (nil, phase == RunPhase.withdrawn) }
    defer { canceller = newcomer }
    return (canceller, phase == RunPhase.withdrawn)
  }

  /// The execution is to end from outside.
  ///
  /// - Returns: what ends it; `nil` if it has ended before or cannot be ended.
  mutating func withdraw() -> Canceller? {
    guard phase == RunPhase.open, let canceller else { return nil }
    phase = RunPhase.withdrawn
    return canceller
  }

  /// The execution has a place in a line.
  ///
  /// - Returns: `true` if it is settled, so that the place is free.
  mutating func take(_ place: Place) -> Bool {
    if !isSettled { self.place = place }
    return isSettled
  }

  /// The execution has its outcome.
  ///
  /// - Returns: the place that is free now, and the canceller to be released after unlocking.
  mutating func settle(
    _ outcome: any Sendable,
    _ publication: Outcome<Void>?
  ) -> (place: Place?, released: Canceller?) {
    assert(phase != RunPhase.open, "An execution has an outcome before its end.")
    assert(self.outcome == nil, "An execution has a second outcome.")
    self.outcome = outcome
    self.publication = publication
    defer { (place, canceller) = (nil, nil) }
    return (place, canceller)
  }

  /// The last event of a settled execution has been delivered.
  ///
  /// - Returns: the waiters to be resumed after unlocking.
  mutating func deliver() -> Waiters {
    assert(isSettled, "The last event of an execution is delivered before it has an outcome.")
    isDelivered = true
    defer { waiters = Waiters() }
    return waiters
  }

  /// Middleware has passed the command on, or is over.
  ///
  /// - Returns: the attempt before, to be released after unlocking.
  mutating func note(_ attempt: Attempt?) -> Attempt? {
    defer { self.attempt = attempt }
    return self.attempt
  }

  /// A waiter asks for the end.
  ///
  /// - Returns: `true` if there is nothing to wait for.
  mutating func arrive(_ waiter: Waiter) -> Bool {
    if isDelivered { return true }
    if waiters.first == nil { waiters.first = waiter } else { waiters.others.append(waiter) }
    return false
  }
}
