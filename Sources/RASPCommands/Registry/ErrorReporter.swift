import RASPSupport
import Streams
import Synchronization

/// Calls the engine's error handler, with one error at a time.
///
/// A queue stands before the handler. So an error handler that causes an error is called again afterwards, and not from
/// within. Without a handler, a debug build writes what would be lost, once for each type of command.
@usableFromInline
final class ErrorReporter: Sendable {
  typealias Handler = @Sendable (any Error) -> Void

  /// The queue protects nothing but the order.
  private struct Shell: ~Copyable, DeliveryShell {
    let handler: CurrentHandler

    mutating func deliver(_ error: any Error, _ access: QueueAccess) { handler.lock.withLock { $0.handler }?(error) }
  }

  private final class CurrentHandler: Sendable {
    let lock = Lock(Held())
  }

  /// A closure that stands by itself in a lock is wrapped once more by each look at it, in a debug build.
  private struct Held {
    var handler: Handler?
  }

  private let current: CurrentHandler
  private let queue: DeliveryQueue<Shell>
  /// Whether there is a handler. Most events that nothing listens to cause no report, so this is asked without the
  /// lock.
  private let hasHandler = Atomic<Bool>(false)
  private let alarm = GrowthAlarm()

  #if DEBUG
    private let unheard = UnheardReports.Once()
  #endif

  init() {
    current = CurrentHandler()
    queue = DeliveryQueue(Shell(handler: current))
  }

  var handler: Handler? {
    get { current.lock.withLock { $0.handler } }
    set {
      let previous = current.lock.withLock { held in
        defer { held.handler = newValue }
        hasHandler.store(newValue != nil, ordering: .relaxed)
        return held.handler
      }
      _ = consume previous
    }
  }

  @usableFromInline
  func report(_ error: any Error) {
    guard hasHandler.load(ordering: .relaxed) else { return writeUnheard(error) }
    _ = queue.send(error)
    // The handler is what does not return, so it cannot be told.
    if alarm.rings(at: queue.pendingCount) {
      write("growth", "Errors come faster than the `errorHandler` takes them, and so many wait that memory grows.")
    }
  }

  /// Reports the error of a command. What the handler does is caused by `execution`, whatever this thread is
  /// delivering: it may be a thread that has cancelled the execution.
  ///
  /// - Parameters:
  ///   - run: the run that has failed with the error. A task that awaits it has heard of the error.
  ///   - isRescued: whether a reaction has rescued the error.
  @usableFromInline
  func report(
    _ error: any Error,
    of command: any Command.Type,
    causedBy execution: CarriedCause?,
    failing run: Run? = nil,
    isRescued: Bool
  ) {
    guard hasHandler.load(ordering: .relaxed) else {
      if !isRescued { writeUnheard(error, of: command, failing: run) }
      return
    }
    guard ThreadCause.isCarried, let execution else { return report(error) }
    execution.deliver { report(error) }
  }

  @usableFromInline
  func reportNoListeners(to event: @autoclosure () -> any AnyCommandEvent) {
    // Without a handler the error is not even made.
    guard hasHandler.load(ordering: .relaxed) else { return }
    let event = event()
    report(EngineError.noListeners(event.commandType).about(event))
  }

  @usableFromInline
  func reportPublishedTooLate(_ event: @autoclosure () -> any AnyCommandEvent) {
    let event = event()
    report(EngineError.publishedTooLate(event.commandType).about(event))
  }

  // MARK: Without a handler

  private func writeUnheard(_ error: any Error, of command: (any Command.Type)? = nil, failing run: Run? = nil) {
    #if DEBUG
      let name = command.map { String(reflecting: $0) } ?? "A command"
      let text = error is EngineError ? "\(error)" : "\(name) has failed: \(error)."
      write(
        error is EngineError ? text : name,
        "\(text) No `errorHandler` gets this, no reaction rescues it, and no task awaits it.",
        unless: run
      )
    #endif
  }

  /// Writes a text in a debug build, unless a task awaits the run.
  private func write(_ kind: String, _ text: String, unless run: Run? = nil) {
    #if DEBUG
      let isAwaited = { @Sendable in run?.isAwaited.load(ordering: .relaxed) == true }
      if !isAwaited() { unheard.writeSoon(kind, "RASP, an engine: \(text)", unless: isAwaited) }
    #endif
  }
}
