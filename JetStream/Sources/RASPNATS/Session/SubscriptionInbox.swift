import NIOConcurrencyHelpers

/// What a subscription has received and not read yet: the event loop puts batches in, readers take them out.
///
/// - Concurrency: what changes is under a lock, which is taken once for a batch on either side, and in which nothing of
///   a user runs.
final class SubscriptionInbox: Sendable {
  typealias Batch = Result<[NATSMessage]?, NATSError>

  private struct State {
    var unread: [NATSMessage] = []
    var bytes = 0
    var end: NATSError?
    var hasEnded = false
    /// Readers that wait, each with the number of its wait, by which it is cancelled. Each is a task that is suspended.
    var waiters: [(number: Int, continuation: CheckedContinuation<Batch, Never>)] = []
    var nextWait = 0
  }

  let subject: String
  /// The subjects of the messages that may come.
  private let delivered: [SubjectPattern]
  private let limit: Int
  private let state = NIOLockedValueBox(State())

  init(subject: String, delivering others: [String] = [], limit: Int) {
    self.subject = subject
    delivered = ([subject] + others).map(SubjectPattern.init)
    self.limit = limit
  }

  /// Whether a message has a subject for which it may come here.
  func delivers(_ message: NATSMessage) -> Bool { delivered.contains { message.isOf($0) } }

  /// Hands over what has come in one turn of the event loop, which is taken out of `received`.
  ///
  /// - Returns: an error if the readers are too far behind, with which the inbox has ended.
  func deliver(_ received: inout [NATSMessage]) -> NATSError? {
    assert(!received.isEmpty, "There is something to deliver.")
    let size = received.reduce(0) { $0 + $1.size }
    let (waiter, batch, failure) = state.withLockedValue {
      state -> (CheckedContinuation<Batch, Never>?, [NATSMessage], NATSError?) in
      guard !state.hasEnded else { return (nil, [], nil) }
      if !state.waiters.isEmpty {
        assert(state.unread.isEmpty, "No reader waits while there are messages.")
        let waiter = state.waiters.removeFirst().continuation
        return (waiter, received, nil)
      }
      if state.unread.isEmpty {
        swap(&state.unread, &received)
      } else {
        state.unread.append(contentsOf: received)
      }
      state.bytes += size
      assert(state.bytes > 0, "A message has a size.")
      guard state.bytes > limit else { return (nil, [], nil) }
      let error = NATSError.slowConsumer(subject: subject, unread: state.unread.count, bytes: state.bytes)
      state.hasEnded = true
      state.end = error
      return (nil, [], error)
    }
    received.removeAll(keepingCapacity: waiter == nil)
    waiter?.resume(returning: .success(batch))
    return failure
  }

  /// Ends the subscription. What has come is read first.
  func end(with error: NATSError?) {
    let waiters = state.withLockedValue { state -> [CheckedContinuation<Batch, Never>] in
      guard !state.hasEnded else { return [] }
      state.hasEnded = true
      state.end = error
      defer { state.waiters = [] }
      return state.waiters.map(\.continuation)
    }
    for waiter in waiters {
      waiter.resume(returning: error.map { .failure($0) } ?? .success(nil))
    }
  }

  /// All that has come; waits for something if there is nothing. `nil` at the end.
  func next() async throws(NATSError) -> [NATSMessage]? {
    if let batch = state.withLockedValue({ Self.take(from: &$0) }) { return try batch.get() }
    let number = state.withLockedValue { state in
      defer { state.nextWait += 1 }
      return state.nextWait
    }
    let batch = await withTaskCancellationHandler {
      await withCheckedContinuation { (continuation: CheckedContinuation<Batch, Never>) in
        let batch = state.withLockedValue { state -> Batch? in
          // A cancellation that came first has found no waiter. One that comes later waits for the lock, and finds it.
          if Task.isCancelled { return .failure(.cancelled) }
          if let batch = Self.take(from: &state) { return batch }
          state.waiters.append((number, continuation))
          return nil
        }
        if let batch { continuation.resume(returning: batch) }
      }
    } onCancel: {
      let waiter = state.withLockedValue { state -> CheckedContinuation<Batch, Never>? in
        state.waiters.firstIndex { $0.number == number }.map { state.waiters.remove(at: $0).continuation }
      }
      waiter?.resume(returning: .failure(.cancelled))
    }
    return try batch.get()
  }

  private static func take(from state: inout State) -> Batch? {
    if !state.unread.isEmpty {
      defer {
        state.unread = []
        state.bytes = 0
      }
      return .success(state.unread)
    }
    guard state.hasEnded else { return nil }
    return state.end.map { .failure($0) } ?? .success(nil)
  }
}
