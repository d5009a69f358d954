public import Streams
import Synchronization

/// Something that waits for the end of a run.
enum RunWaiter: Sendable {
  case task(UnsafeContinuation<Void, Never>)
  case hook(@Sendable () -> Void)

  func resume() {
    switch self {
    case .task(let continuation): continuation.resume()
    case .hook(let hook): hook()
    }
  }
}

/// The part of a run that only those need who await it or end it from outside: its machine, behind its lock.
@usableFromInline
final class RunEnding: Sendable {
  let machine = Lock(RunMachine<RunWaiter>())

  @usableFromInline
  init() {}
}

/// One command on its way, from its beginning to its last event. The lane asks it which of its events are still wanted.
///
/// An execution that can be awaited and cancelled is the shell around a ``RunMachine``. A command that is carried out
/// in its caller has no machine: only the caller waits for it. The first to end a run, its handler or a caller that
/// cancels, publishes the last event; the result of the other is dropped. It knows neither its command nor its engine.
/// The code that starts it hands in how it is cancelled.
///
/// The machine hands out each waiter once, so each continuation is resumed once.
///
/// Safe to share: the machine is behind its lock, the phase repeats the machine's phase for those who only look, and
/// the rest is atomic or does not change.
@usableFromInline
final class Run: Occupant {
  @usableFromInline let phase = Atomic<UInt8>(RunPhase.open)
  /// Written and read by the one thread that delivers events.
  @usableFromInline let lastWasAdmitted = Atomic<Bool>(false)
  /// Is `true` once a task waits for the outcome, which then learns of an error.
  @usableFromInline let isAwaited = Atomic<Bool>(false)

  /// What its handler does and publishes is caused by this: the execution, if the engine is recorded, otherwise what
  /// caused that.
  @usableFromInline let identity: CarriedCause

  /// `nil` if the command is carried out in its caller.
  @usableFromInline let ending: RunEnding?

  /// Begins a run.
  ///
  /// - Parameters:
  ///   - ending: what is needed to await the run; `nil` for a command that is carried out in its caller.
  ///   - isAwaited: whether the caller gets the outcome.
  @inlinable
  init(_ identity: CarriedCause, _ ending: RunEnding?, isAwaited: Bool) {
    self.identity = identity
    self.ending = ending
    if isAwaited { self.isAwaited.store(true, ordering: .relaxed) }
  }

  /// Begins a run that can be awaited.
  @usableFromInline
  convenience init(_ identity: CarriedCause) {
    self.init(identity, RunEnding(), isAwaited: false)
  }

  @inlinable var isOpen: Bool { phase.load(ordering: .acquiring) == RunPhase.open }

  @inlinable var isOver: Bool { phase.load(ordering: .acquiring) == RunPhase.over }

  /// Is `true` once only the last event is wanted. It is asked before each call of a listener, because any of them may
  /// cancel.
  @inlinable var isWithdrawn: Bool { phase.load(ordering: .acquiring) == RunPhase.withdrawn }

  /// Says what is to be done with an event. The lane calls this once for each event, one call at a time.
  @inlinable
  func admit(isLast: Bool) -> EventAdmission {
    if isLast {
      lastWasAdmitted.store(true, ordering: .relaxed)
      return .deliver
    }
    if isWithdrawn { return .withdrawn }
    return lastWasAdmitted.load(ordering: .relaxed) ? .tooLate : .deliver
  }

  /// Ends the run of a command that is carried out in its caller, where nothing else can end it.
  @inlinable
  func endAlone() {
    assert(isOpen && ending == nil, "A run that only its caller can end has ended.")
    phase.store(RunPhase.over, ordering: .releasing)
  }

  /// Ends the run of a command that is carried out in its caller. The first end counts.
  ///
  /// - Returns: `false` if it has ended before.
  @inlinable
  func endInCaller(as end: UInt8) -> Bool {
    phase.compareExchange(expected: RunPhase.open, desired: end, ordering: .acquiringAndReleasing).exchanged
  }

  /// Asks or changes the machine.
  @inline(__always)
  private func ask<Result: Sendable>(_ question: (inout RunMachine<RunWaiter>) -> Result) -> Result {
    guard let result = ending?.machine.withLock(question) else {
      preconditionFailure("A command that is carried out in its caller is awaited.")
    }
    return result
  }

  // MARK: Events of the machine

  /// Ends the run as its handler did; returns `false` if it has ended before.
  @usableFromInline
  func finish() -> Bool {
    ask { machine in
      let isFirst = machine.finish()
      if isFirst { phase.store(RunPhase.over, ordering: .releasing) }
      return isFirst
    }
  }

  /// Makes the run one that can be ended from outside.
  @usableFromInline
  func begin(_ canceller: Canceller) {
    let (released, stops) = ask { $0.begin(canceller) }
    _ = consume released
    if stops { canceller.stop() }
  }

  /// Ends the run from outside; returns `nil` if it has ended before. The task is cancelled then, and `complete` is to
  /// be called where user code may run.
  func withdraw() -> Canceller? {
    let canceller = ask { machine in
      let canceller = machine.withdraw()
      if canceller != nil { phase.store(RunPhase.withdrawn, ordering: .releasing) }
      return canceller
    }
    canceller?.stop()
    return canceller
  }

  /// Ends the run from outside with an error; returns `false` if it has ended before.
  @discardableResult
  func end(with error: any Error) -> Bool {
    guard let canceller = withdraw() else { return false }
    canceller.complete(error)
    return true
  }

  /// Gives the run its outcome. Its place is free from now on; who waits for it is told when the reactions have its
  /// last event, see ``deliver()``.
  ///
  /// - Parameter outcome: an ``Outcome`` of the type of the command.
  @usableFromInline
  func settle(_ outcome: any Sendable, _ publication: Outcome<Void>?) {
    let (place, released) = ask { $0.settle(outcome, publication) }
    _ = consume released
    place?.left(self)
  }

  /// Tells those who wait: the reactions have got all events of the run.
  @usableFromInline
  func deliver() {
    let waiters = ask { $0.deliver() }
    waiters.first?.resume()
    for waiter in waiters.others { waiter.resume() }
  }

  // MARK: Middleware

  /// Notes what the last attempt to carry out the command has come to.
  @usableFromInline
  func note(_ attempt: Attempt) {
    let before = ask { $0.note(attempt) }
    _ = consume before
  }

  /// Ends the run as its middleware did.
  ///
  /// - Returns: the last attempt to carry out the command; `nil` if the run has ended before.
  @usableFromInline
  func finishBehindMiddleware() -> Attempt? {
    ask { machine in
      guard machine.finish() else { return nil }
      phase.store(RunPhase.over, ordering: .releasing)
      return machine.note(nil) ?? Attempt(nil)
    }
  }

  // MARK: Looking

  @usableFromInline
  var outcome: (any Sendable)? { ask(\.outcome) }

  var publication: Outcome<Void>? { ask(\.publication) }

  /// Takes the place of the run, which is told when the run is settled: on the thread that settles it, or now.
  func take(_ place: Place) {
    if ask({ $0.take(place) }) { place.left(self) }
  }

  /// Calls `hook` when the run is over: on the thread that delivers its last event, or now.
  func whenOver(_ hook: @escaping @Sendable () -> Void) {
    if ask({ $0.arrive(.hook(hook)) }) { hook() }
  }

  /// Returns when the run is settled and the reactions have its last event. If the task that waits is cancelled, so is
  /// the run.
  @usableFromInline
  func waitUntilOver() async {
    isAwaited.store(true, ordering: .relaxed)
    ask(\.place)?.beginAwaited()
    await withTaskCancellationHandler {
      await withUnsafeContinuation { waiter in
        if ask({ $0.arrive(.task(waiter)) }) { waiter.resume() }
      }
    } onCancel: {
      // The runtime calls this while it holds a lock of the task. So the reactions are called in another task.
      guard let canceller = withdraw() else { return }
      AmbientExecutor.startTask { canceller.complete(CancellationError()) }
    }
  }
}
