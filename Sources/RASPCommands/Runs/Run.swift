public import Streams
import Synchronization

/// The policy of a command, as its executions see it: each tells it that it has ended.
///
/// It is an object and not a closure, so that an execution allocates nothing to tell it.
protocol RunPolicy: AnyObject, Sendable {
  /// Takes an execution out that has ended, and starts the one that waits for it.
  func left(_ number: Int)
}

/// One execution, from its command to its last event: the shell around a ``RunMachine``.
///
/// The first to end it, its handler or a caller that cancels, publishes the last event; the result of the other is
/// dropped. It knows neither its command nor its engine. Who starts it hands in how it is cancelled.
///
/// The machine hands out each waiter once, so each continuation is resumed once.
///
/// Safe to share: the machine is behind its lock, and the phase of `state` repeats the machine's for those who only look.
@usableFromInline
final class Run: Sendable {
  enum Waiter: Sendable {
    case task(UnsafeContinuation<Void, Never>)
    case hook(@Sendable () -> Void)
    /// The policy of the command, in which the execution has this number.
    case policy(any RunPolicy, Int)

    func resume() {
      switch self {
      case .task(let continuation): continuation.resume()
      case .hook(let hook): hook()
      case .policy(let policy, let number): policy.left(number)
      }
    }
  }

  private let machine = Lock(RunMachine<Waiter>())
  @usableFromInline let state: OriginState

  @usableFromInline
  init(_ identity: CarriedCause) {
    state = OriginState(identity)
  }

  /// What the command does and publishes is caused by this.
  var identity: CarriedCause { state.identity }

  var isOpen: Bool { state.isOpen }

  // MARK: Events of the machine

  /// Ends the run as its handler did; returns `false` if it has ended before.
  @usableFromInline
  func finish() -> Bool {
    machine.withLock { machine in
      let isFirst = machine.finish()
      if isFirst { state.phase.store(OriginPhase.over, ordering: .releasing) }
      return isFirst
    }
  }

  /// Makes the run one that can be ended from outside.
  @usableFromInline
  func begin(_ canceller: Canceller) {
    let (released, stops) = machine.withLock { $0.begin(canceller) }
    _ = consume released
    if stops { canceller.stop() }
  }

  /// Ends the run from outside; returns `nil` if it has ended before. The task is cancelled then, and `complete` is to
  /// be called where user code may run.
  func withdraw() -> Canceller? {
    let canceller = machine.withLock { machine in
      let canceller = machine.withdraw()
      if canceller != nil { state.phase.store(OriginPhase.withdrawn, ordering: .releasing) }
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

  /// - Parameter outcome: an ``Outcome`` of the type of the command.
  @usableFromInline
  func settle(_ outcome: any Sendable, _ publication: Outcome<Void>?) {
    let (waiters, released) = machine.withLock { $0.settle(outcome, publication) }
    _ = consume released
    for waiter in waiters { waiter.resume() }
  }

  // MARK: Middleware

  /// Notes what the last attempt to carry out the command has come to.
  @usableFromInline
  func note(_ attempt: Attempt) {
    let before = machine.withLock { $0.note(attempt) }
    _ = consume before
  }

  @usableFromInline
  func takeAttempt() -> Attempt {
    machine.withLock { $0.note(nil) } ?? Attempt(nil)
  }

  // MARK: Looking

  @usableFromInline
  var outcome: (any Sendable)? { machine.withLock(\.outcome) }

  var publication: Outcome<Void>? { machine.withLock(\.publication) }

  /// Tells the policy of the command when the run is settled: on the thread that settles it, or now.
  func onSettled(tell policy: any RunPolicy, _ number: Int) {
    if machine.withLock({ $0.arrive(.policy(policy, number)) }) { policy.left(number) }
  }

  /// Calls `hook` when the run is settled: on the thread that settles it, or now.
  func onSettled(_ hook: @escaping @Sendable () -> Void) {
    if machine.withLock({ $0.arrive(.hook(hook)) }) { hook() }
  }

  /// Returns when the run is settled. If the task that waits is cancelled, so is the run.
  @usableFromInline
  func waitUntilSettled() async {
    await withTaskCancellationHandler {
      await withUnsafeContinuation { waiter in
        if machine.withLock({ $0.arrive(.task(waiter)) }) { waiter.resume() }
      }
    } onCancel: {
      // The runtime calls this while it holds a lock of the task. So the reactions are called in another task.
      guard let canceller = withdraw() else { return }
      Task { canceller.complete(CancellationError()) }
    }
  }
}
