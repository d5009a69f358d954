import RASPTesting
import Streams
import Testing

extension Marbles {
  /// As `stream`, but what happens at an instant happens after all timers that are due then. A stream of `stream` comes
  /// before them, because it is scheduled when it is subscribed to.
  func streamAfterTimers(_ diagram: String) -> Observable<String, MarbleFailure> {
    let source = stream(diagram)
    let time = time
    return Observable { producer in
      let subscription = source.subscribe { value in
        time.schedule(at: time.now) { producer.send(value) }.detach()
      } onEnd: { end in
        time.schedule(at: time.now) {
          switch end {
          case .finished: producer.finish()
          case .failed(let failure): producer.fail(failure)
          }
        }.detach()
      }
      // Holds the producer too: a diagram without an end has none.
      producer.onTermination { withExtendedLifetime(producer) { subscription.cancel() } }
    }
  }

  /// Expects the same of a pipeline, whether its input or its timers come first at each instant.
  func expectEitherWay<Element: Sendable, Failure: Error>(
    _ source: String,
    _ result: String,
    sourceLocation: SourceLocation = #_sourceLocation,
    _ pipeline: (Observable<String, MarbleFailure>) -> Observable<Element, Failure>
  ) {
    expect(pipeline(stream(source)), result, sourceLocation: sourceLocation)
    expect(pipeline(streamAfterTimers(source)), result, sourceLocation: sourceLocation)
  }
}
