import NIOCore
import Streams

/// Everything that outlives a connection: the subscriptions, the requests that wait, and what is not written yet.
///
/// - Concurrency: confined to one event loop, which is that of all its connections, one after the other: every property
///   that can change is touched there only. Callers on other threads reach it through the outbox, which has a lock. That
///   is why it may be sent to other threads without a check by the compiler.
final class Session: @unchecked Sendable {
  /// The number of the subscription that receives the answers of all requests.
  static let answers: UInt64 = 1

  let loop: any EventLoop
  let options: NATSOptions
  let outbox: Outbox
  let status: Subject<NATSStatus, Never>
  let problems: Subject<NATSError, Never>
  /// The subject of an answer is this and the number of its request.
  let answerPrefix: String

  var servers: ServerList
  /// The connection that is there or is being made.
  var connection: ServerConnection?
  var server = NATSServerInfo()
  var subscriptions: [UInt64: SubscriptionInbox] = [:]
  var nextSubscription = Session.answers + 1
  /// The subscriptions that have received something in this turn of the event loop.
  var touched: [SubscriptionInbox] = []
  var requests = RequestTable()
  /// For each question of a sign of life that was sent, who waits for the answer.
  var pings = CircularBuffer<RequestGroup?>()
  /// Commands in order that are not written yet.
  var held = CircularBuffer<SessionCommand>()
  var taken: [SessionCommand] = []
  var output = ByteBuffer()
  var isWriting = false
  var timer: (deadline: NIODeadline, task: Scheduled<Void>)?
  var keepAlive: RepeatedTask?
  var attemptTimer: Scheduled<Void>?
  /// Whether the first connection is still awaited.
  var opening: CheckedContinuation<NATSError?, Never>?
  var closers: [CheckedContinuation<Void, Never>] = []
  var isClosing = false
  var isClosed = false

  init(servers: [ServerAddress], options: NATSOptions, loop: any EventLoop, identifier: String) {
    self.servers = ServerList(servers)
    self.options = options
    self.loop = loop
    outbox = Outbox(limit: options.writeLimit)
    status = Subject(replaying: 1)
    problems = Subject()
    answerPrefix = "\(options.inboxPrefix).\(identifier)."
  }

  /// Takes what callers have put in.
  func drain() {
    loop.assertInEventLoop()
    guard !isClosed else { return }
    outbox.take(into: &taken)
    for command in taken {
      switch command {
      case .cancel(let group):
        group.cancel()
      case .request(let group), .ping(let group):
        group.begin()
        watch(group.deadline)
        held.append(command)
      case .publish, .subscribe, .unsubscribe:
        held.append(command)
      case .close(let closer):
        if let closer { closers.append(closer) }
        guard !isClosing else { continue }
        isClosing = true
        held.append(.close(nil))
      }
    }
    taken.removeAll(keepingCapacity: taken.capacity < 4096)
    if isClosing, connection?.isReady != true {
      finish(nil)
    } else {
      writeHeld()
    }
  }

  /// Ends everything.
  ///
  /// - Parameter error: why, unless the user has closed the client.
  func finish(_ error: NATSError?) {
    guard !isClosed else { return }
    isClosed = true
    timer?.task.cancel()
    attemptTimer?.cancel()
    keepAlive?.cancel()
    // Taken away first: its end must not be told as that of a connection in use.
    let last = connection
    connection = nil
    last?.end(with: error ?? .closed)
    let reason = error ?? .closed
    for command in Array(held) + outbox.close() {
      switch command {
      case .request(let group), .ping(let group): group.fail { _ in reason }
      case .subscribe(let inbox): inbox.end(with: error)
      case .close(let closer): closer?.resume()
      case .publish, .cancel, .unsubscribe: break
      }
    }
    held.removeAll()
    requests.fail { _, _ in reason }
    failPings(with: reason)
    for inbox in subscriptions.values { inbox.end(with: error) }
    subscriptions = [:]
    status.send(.closed)
    status.finish()
    problems.finish()
    opening?.resume(returning: reason)
    opening = nil
    for closer in closers { closer.resume() }
    closers = []
  }

  func failPings(with error: NATSError) {
    let waiting = pings
    pings.removeAll()
    for case let group? in waiting { group.fail { _ in error } }
  }
}
