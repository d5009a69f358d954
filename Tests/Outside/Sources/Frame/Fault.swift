import Streams

/// The one kind of failure in these programs. Others are noted as "error", because texts are no promise.
struct Fault: Error, Hashable {
  var code: Int

  static func text(_ error: any Error) -> String {
    (error as? Fault).map { "fault \($0.code)" } ?? (error is CancellationError ? "cancelled" : "error")
  }

  static func text<Failure>(_ end: StreamEnd<Failure>) -> String {
    if case .failed(let error) = end { text(error) } else { "finished" }
  }
}
