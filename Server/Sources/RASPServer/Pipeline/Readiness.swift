/// What a service answers to the question of whether it is ready for requests.
///
///     router.get("ready") { _, _ -> HTTPResponse.Status in
///       pipeline.readiness.isReady ? .ok : .serviceUnavailable
///     }
public struct Readiness: Sendable, Hashable, Encodable, CustomStringConvertible {
  /// Is `true` if there is no problem.
  public let isReady: Bool

  /// What keeps the process from answering as it should, one sentence each.
  public let problems: [String]

  init(problems: [String]) {
    isReady = problems.isEmpty
    self.problems = problems
  }

  /// `ready`, or the problems, one a line.
  public var description: String { isReady ? "ready" : problems.joined(separator: "\n") }
}
