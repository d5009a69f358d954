import NIOConcurrencyHelpers

/// What callers want of a session.
enum SessionCommand: Sendable {
  case publish(NATSRequest, reply: String?)
  case request(RequestGroup, RequestGroup.Completion)
  case ping(RequestGroup, RequestGroup.Completion)
  case cancel(RequestGroup)
  case subscribe(SubscriptionInbox)
  case unsubscribe(SubscriptionInbox)
  case close(CheckedContinuation<Void, Never>?)
}

/// What a server says about itself, as one reference: each message that is sent looks at it.
final class KnownServer: Sendable {
  let info: NATSServerInfo

  init(info: NATSServerInfo) {
    self.info = info
  }
}

/// The way from callers on any thread to the event loop of a session: commands in order, and a limit of their bytes.
/// Commands without bytes have no limit: each is of a task that waits for its result, or the end of something.
///
/// - Concurrency: everything is under one lock, in which nothing waits. The event loop takes all commands at once. A
///   caller wakes the event loop only if there was no command before.
final class Outbox: Sendable {
  private struct State {
    var commands: [SessionCommand] = []
    /// The bytes of all commands that are not written to the socket yet.
    var bytes = 0
    var isConnected = false
    var reason = NATSError.closed
    var isClosed = false
    var isScheduled = false
    var server = KnownServer(info: NATSServerInfo())
    /// Writers that wait until there is capacity, by the number of their wait. They have put their command in already,
    /// and each is a task that is suspended: there are as many as there are callers.
    var writers: [Int: CheckedContinuation<Bool, Never>] = [:]
    var nextWait = 0
  }

  private let state = NIOLockedValueBox(State())
  private let limit: Int

  init(limit: Int) {
    self.limit = limit
  }

  /// What the present server has said, or the last one.
  var server: KnownServer { state.withLockedValue { $0.server } }

  /// Puts a command in.
  ///
  /// - Parameter bytes: what it will write, about; 0 for one that is taken also without a connection, however full it
  ///   is.
  /// - Returns: whether the event loop must be woken, and whether the caller should wait for capacity.
  func put(_ command: SessionCommand, bytes: Int) throws(NATSError) -> (wake: Bool, wait: Bool) {
    assert(bytes >= 0, "A command has a size.")
    let (result, failure) = state.withLockedValue { state -> ((Bool, Bool), NATSError?) in
      if state.isClosed { return ((false, false), .closed) }
      if bytes > 0, !state.isConnected, state.bytes + bytes > limit {
        return ((false, false), .disconnected(server: state.server.info.url, reason: "\(state.reason)"))
      }
      state.bytes += bytes
      state.commands.append(command)
      defer { state.isScheduled = true }
      return ((!state.isScheduled, bytes > 0 && state.isConnected && state.bytes > limit), nil)
    }
    if let failure { throw failure }
    return result
  }

  /// Waits until less than the limit is unwritten, or there is no connection any more.
  ///
  /// - Returns: `false` if the task was cancelled first.
  func waitForCapacity() async -> Bool {
    let number = state.withLockedValue { state in
      defer { state.nextWait += 1 }
      return state.nextWait
    }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { (continuation: CheckedContinuation<Bool, Never>) in
        let result = state.withLockedValue { state -> Bool? in
          guard state.isConnected, !state.isClosed, state.bytes > limit else { return true }
          // A cancellation that came first has found no writer. One that comes later waits for the lock, and finds it.
          if Task.isCancelled { return false }
          state.writers[number] = continuation
          return nil
        }
        if let result { continuation.resume(returning: result) }
      }
    } onCancel: {
      state.withLockedValue { $0.writers.removeValue(forKey: number) }?.resume(returning: false)
    }
  }

  /// Takes all commands. The next one that is put in wakes the event loop again.
  func take(into commands: inout [SessionCommand]) {
    state.withLockedValue { state in
      state.isScheduled = false
      swap(&commands, &state.commands)
    }
  }

  /// The bytes of commands were written, or their commands are gone.
  func release(bytes: Int) {
    resume(
      state.withLockedValue { state -> [CheckedContinuation<Bool, Never>] in
        state.bytes -= bytes
        assert(state.bytes >= 0, "More bytes were written than were put in.")
        return state.bytes > limit ? [] : Self.takeWriters(&state)
      }
    )
  }

  func connected(to server: NATSServerInfo) {
    state.withLockedValue { state in
      state.isConnected = true
      state.server = KnownServer(info: server)
    }
  }

  func disconnected(_ reason: NATSError) {
    resume(
      state.withLockedValue { state -> [CheckedContinuation<Bool, Never>] in
        state.isConnected = false
        state.reason = reason
        return Self.takeWriters(&state)
      }
    )
  }

  /// Refuses all commands from now on.
  ///
  /// - Returns: those that are in.
  func close() -> [SessionCommand] {
    let (commands, writers) = state.withLockedValue { state -> ([SessionCommand], [CheckedContinuation<Bool, Never>]) in
      assert(!state.isClosed, "A session is closed once.")
      state.isClosed = true
      state.isConnected = false
      defer { state.commands = [] }
      return (state.commands, Self.takeWriters(&state))
    }
    resume(writers)
    return commands
  }

  private static func takeWriters(_ state: inout State) -> [CheckedContinuation<Bool, Never>] {
    defer { state.writers = [:] }
    return Array(state.writers.values)
  }

  private func resume(_ writers: [CheckedContinuation<Bool, Never>]) {
    for writer in writers { writer.resume(returning: true) }
  }
}
