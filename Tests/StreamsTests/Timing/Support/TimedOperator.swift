import RASPTesting
import Streams

/// An operator that knows time, with its duration left open, so that one test can be run over all of them.
enum TimedOperator: String, CaseIterable {
  case throttle
  case throttleFirst
  case debounce
  case delay
  case timeout
  case sample
  case bufferEvery
  case bufferBoth

  /// Those that leave nothing out.
  static let keepingAll = [delay, bufferEvery, bufferBoth]

  /// Those that send the newest value in the end, whatever they left out before.
  static let keepingTheLast = keepingAll + [throttle, debounce, sample]

  func apply<Element: Sendable>(
    to stream: Observable<Element, MarbleFailure>,
    _ duration: Duration = .seconds(1),
    on scheduler: any Scheduler
  ) -> Observable<Element, MarbleFailure> {
    switch self {
    case .throttle: stream.throttle(for: duration, on: scheduler)
    case .throttleFirst: stream.throttle(for: duration, latest: false, on: scheduler)
    case .debounce: stream.debounce(for: duration, on: scheduler)
    case .delay: stream.delay(by: duration, on: scheduler)
    case .timeout: stream.timeout(after: duration, on: scheduler, failure: MarbleFailure())
    case .sample: stream.sample(every: duration, on: scheduler)
    case .bufferEvery: Self.each(of: stream.buffer(every: duration, on: scheduler))
    case .bufferBoth: Self.each(of: stream.buffer(count: 2, every: duration, on: scheduler))
    }
  }

  /// The elements of arrays, one by one.
  private static func each<Element>(of arrays: Observable<[Element], MarbleFailure>) -> Observable<
    Element, MarbleFailure
  > {
    arrays.map { Observable($0).setFailureType(to: MarbleFailure.self) }.concat()
  }
}
