import Streams
import TestSupport
import Testing

/// An operator that leaves a stream of values that all differ as it is, so that one test can be run over all of them.
///
/// `probe` is called wherever the operator calls a closure of the user.
struct Operator: Sendable, CustomTestStringConvertible {
  typealias Stream = Observable<Int, TestError>
  typealias Probe = @Sendable () -> Void

  let testDescription: String
  private let body: @Sendable (Stream, @escaping Probe) -> Stream

  init(_ name: String, _ body: @escaping @Sendable (Stream, @escaping Probe) -> Stream) {
    testDescription = name
    self.body = body
  }

  func apply(to stream: Stream, probe: @escaping Probe = {}) -> Stream {
    body(stream, probe)
  }

  /// A stream of one value.
  static func just(_ value: Int) -> Stream {
    Observable([value]).setFailureType(to: TestError.self)
  }

  static let all = withoutClosures + withClosures
}
