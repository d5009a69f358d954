import NIOCore

/// Requests that were made together and whose answers are awaited together.
///
/// - Concurrency: made by the caller, and confined to the event loop of the session from then on. The results go back
///   through the completion, which is called once: when the last of them is known.
final class RequestGroup: @unchecked Sendable {
  typealias Results = [Result<NATSMessage, NATSError>]

  let requests: [NATSRequest]
  let limit: Duration
  let deadline: NIODeadline
  /// Set before the group is given to the session, and used by the session only.
  var completion: (@Sendable (Results) -> Void)?
  /// The number at the end of the subject for the first answer. The others follow.
  var firstToken: UInt64 = 0
  private(set) var missing: Int
  private var hasBegun = false
  private var isCancelled = false
  private var results: [Result<NATSMessage, NATSError>?]

  init(_ requests: [NATSRequest], limit: Duration) {
    self.requests = requests
    self.limit = limit
    deadline = .now() + TimeAmount(limit)
    missing = requests.count
    results = Array(repeating: nil, count: requests.count)
  }

  var isDone: Bool { missing == 0 }

  /// The session has the group now. If it was cancelled before, it has all its results at once.
  func begin() {
    hasBegun = true
    if isCancelled { cancel() }
  }

  /// The caller does not wait any more. This may come before the group does.
  func cancel() {
    isCancelled = true
    // Before it has begun the caller may still be setting the completion.
    if hasBegun { fail { _ in .cancelled } }
  }

  /// Takes the result of one request. Only the first one counts.
  func complete(_ index: Int, with result: Result<NATSMessage, NATSError>) {
    guard !isDone, results[index] == nil else { return }
    results[index] = result
    missing -= 1
    if missing == 0 {
      assert(completion != nil, "A group of requests was completed twice.")
      let known = results.compactMap { $0 }
      results = []
      completion?(known)
      completion = nil
    }
  }

  /// Gives the same error to all requests that have no result.
  func fail(_ error: (NATSRequest) -> NATSError) {
    for index in requests.indices where !isDone {
      complete(index, with: .failure(error(requests[index])))
    }
  }
}

extension RequestGroup {
  /// The bytes that it counts for in the outbox.
  var size: Int { requests.reduce(0) { $0 + $1.size } }
}
