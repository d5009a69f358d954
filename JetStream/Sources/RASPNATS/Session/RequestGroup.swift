import NIOCore

/// Requests that were made together and whose answers are awaited together.
///
/// - Concurrency: a caller makes it, and the session changes it on its event loop, which the box checks. The results go
///   back through the completion, which is called once: when the last of them is known.
final class RequestGroup: Sendable {
  typealias Results = [Result<NATSMessage, NATSError>]
  typealias Completion = @Sendable (Results) -> Void

  private struct State: Sendable {
    var completion: Completion?
    /// The number at the end of the subject for the first answer. The others follow.
    var firstToken: UInt64 = 0
    var missing: Int
    var isCancelled = false
    var results: [Result<NATSMessage, NATSError>?]
  }

  let requests: [NATSRequest]
  let limit: Duration
  let deadline: NIODeadline
  private let state: NIOLoopBoundBox<State>

  init(_ requests: [NATSRequest], limit: Duration, on loop: any EventLoop) {
    assert(!requests.isEmpty, "A group without requests would never be completed.")
    self.requests = requests
    self.limit = limit
    deadline = .now() + TimeAmount(limit)
    let state = State(missing: requests.count, results: Array(repeating: nil, count: requests.count))
    self.state = .makeBoxSendingValue(state, eventLoop: loop)
  }

  /// The bytes that it counts for in the outbox.
  var size: Int { requests.reduce(0) { $0 + $1.size } }

  var isDone: Bool { state.value.missing == 0 }

  var firstToken: UInt64 { state.value.firstToken }

  /// Gives the requests their numbers, from this one on.
  func number(from token: UInt64) { state.value.firstToken = token }

  /// The session has the group now. If it was cancelled before, it has all its results at once.
  func begin(_ completion: @escaping Completion) {
    let isCancelled = state.withValue { state in
      assert(state.completion == nil && state.missing == requests.count, "A group of requests has begun twice.")
      state.completion = completion
      return state.isCancelled
    }
    if isCancelled { cancel() }
  }

  /// The caller does not wait any more. This may come before the group does.
  func cancel() {
    state.value.isCancelled = true
    if state.value.completion != nil { fail { _ in .cancelled } }
  }

  /// Takes the result of one request. Only the first one counts.
  func complete(_ index: Int, with result: Result<NATSMessage, NATSError>) {
    let finished = state.withValue { state -> (Completion, Results)? in
      guard state.missing > 0, state.results[index] == nil else { return nil }
      state.results[index] = result
      state.missing -= 1
      guard state.missing == 0, let completion = state.completion.take() else { return nil }
      defer { state.results = [] }
      return (completion, state.results.compactMap { $0 })
    }
    guard let (completion, results) = finished else { return }
    assert(results.count == requests.count, "Each request has one result.")
    completion(results)
  }

  /// Gives the same error to all requests that have no result.
  func fail(_ error: (NATSRequest) -> NATSError) {
    for index in requests.indices where !isDone {
      complete(index, with: .failure(error(requests[index])))
    }
  }
}
