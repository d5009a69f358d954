import Streams

/// Where everything goes that nobody else may hear of: the engine's error handler, called with one error at a time.
///
/// A queue stands in front of it, so that an error handler which causes an error itself is called again afterwards, not
/// from within.
@usableFromInline
final class ErrorReporter: Sendable {
  typealias Handler = @Sendable (any Error) -> Void

  private let current = Lock<Handler?>(nil)
  private let queue = DeliveryQueue<any Error>()

  var handler: Handler? {
    get { current.withLock { $0 } }
    set { current.exchange(with: newValue) }
  }

  @usableFromInline
  func report(_ error: any Error) {
    guard handler != nil else { return }
    _ = queue.submit(error) { error in handler?(error) }
  }

  @usableFromInline
  func report(_ error: EngineError) {
    report(error as any Error)
  }
}
