import RASPPrimitives
import Streams
import Synchronization

/// Calls the engine's error handler, with one error at a time.
///
/// A queue stands before the handler. So an error handler that causes an error is called again afterwards, and not from
/// within.
@usableFromInline
final class ErrorReporter: Sendable {
  typealias Handler = @Sendable (any Error) -> Void

  /// The queue protects nothing but the order.
  private struct Shell: ~Copyable, DeliveryShell {
    let handler: CurrentHandler

    mutating func deliver(_ error: any Error, _ access: QueueAccess) { handler.lock.withLock { $0 }?(error) }
  }

  private final class CurrentHandler: Sendable {
    let lock = Lock<Handler?>(nil)
  }

  private let current: CurrentHandler
  private let queue: DeliveryQueue<Shell>
  /// Whether there is a handler. Most events that nothing listens to cause no report, so this is asked without the
  /// lock.
  private let hasHandler = Atomic<Bool>(false)

  init() {
    current = CurrentHandler()
    queue = DeliveryQueue(Shell(handler: current))
  }

  var handler: Handler? {
    get { current.lock.withLock { $0 } }
    set {
      let previous = current.lock.withLock { handler in
        defer { handler = newValue }
        hasHandler.store(newValue != nil, ordering: .relaxed)
        return handler
      }
      _ = consume previous
    }
  }

  @usableFromInline
  func report(_ error: any Error) {
    guard hasHandler.load(ordering: .relaxed) else { return }
    _ = queue.send(error)
  }

  /// Reports the error of an execution, which is the cause of what the handler does, whatever this thread is
  /// delivering: it may be a thread that has cancelled the execution.
  @usableFromInline
  func report(_ error: any Error, causedBy execution: CarriedCause?) {
    guard hasHandler.load(ordering: .relaxed) else { return }
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
    guard hasHandler.load(ordering: .relaxed) else { return }
    let event = event()
    report(EngineError.publishedTooLate(event.commandType).about(event))
  }
}

/// An error handler that prints, for a program that has no log yet.
///
///     engine.errorHandler = EngineErrorHandler().handleError
public struct EngineErrorHandler: Sendable {
  private let sink: @Sendable (String) -> Void

  /// Makes an error handler.
  ///
  /// - Parameter sink: takes a line for each error, on any thread. By default it prints.
  public init(sink: @escaping @Sendable (String) -> Void = { print($0) }) {
    self.sink = sink
  }

  /// Writes an error down, and whether it is a warning.
  public func handleError(_ error: any Error) {
    let isWarning = (error as? EngineError)?.isWarning == true
    sink("\(isWarning ? "warning" : "error"): \(error)")
  }
}
