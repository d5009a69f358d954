import Logging
import NIOCore
import Streams

/// Everything that outlives a connection: the subscriptions, the requests that wait, and what is not written yet.
///
/// - Concurrency: confined to one event loop, which is that of all its connections, one after the other. Callers on
///   other threads have a ``SessionReference``.
final class Session {
  /// The subscription that has this inbox, on the wire.
  final class Receiver {
    let inbox: SubscriptionInbox
    /// Its number, the same one on each connection.
    let identifier: UInt64
    /// What has come in this turn of the event loop.
    var received: [NATSMessage] = []

    init(inbox: SubscriptionInbox, identifier: UInt64) {
      self.inbox = inbox
      self.identifier = identifier
    }

    func writeSubscribe(to output: inout ByteBuffer) {
      output.writeSubscribe(to: inbox.subject, identifier: identifier)
    }
  }

  /// The number of the subscription that receives the answers of all requests.
  static let answers: UInt64 = 1

  let loop: any EventLoop
  let options: NATSOptions
  let outbox: Outbox
  let status: Subject<NATSStatus, Never>
  let problems: Subject<NATSError, Never>
  /// The subject of an answer is this and the number of its request.
  let answerPrefix: SubjectPrefix

  var servers: ServerList
  /// The connection that is there or is being made.
  var connection: ServerConnection?
  var server = NATSServerInfo()
  /// The last message that came to a subscription to another subject.
  var misdelivery = ""
  var subscriptions: [UInt64: Receiver] = [:]
  var identifiers: [ObjectIdentifier: UInt64] = [:]
  var nextSubscription = Session.answers + 1
  /// Those that have received something in this turn of the event loop.
  var receivers: [Receiver] = []
  var requests = RequestTable()
  /// For each ping that was sent, who waits for the answer; `nil` for one that keeps the connection alive.
  var pings = CircularBuffer<RequestGroup?>()
  /// Commands in order that are not written yet. Their limit is that of the outbox.
  var pending = CircularBuffer<SessionCommand>()
  var taken: [SessionCommand] = []
  var output = ByteBuffer()
  var isWriting = false
  var timer: (deadline: NIODeadline, task: Scheduled<Void>)?
  var keepAlive: Scheduled<Void>?
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
    answerPrefix = SubjectPrefix("\(options.inboxPrefix).\(identifier).")
  }

  var logger: Logger { options.logger }

  /// Takes what callers have put in.
  func drain() {
    loop.preconditionInEventLoop()
    guard !isClosed else { return }
    assert(taken.isEmpty, "Commands are taken one turn after the other.")
    outbox.take(into: &taken)
    var hasCancelled = false
    for command in taken {
      switch command {
      case .cancel(let group):
        group.cancel()
        hasCancelled = true
      case .request(let group, let completion), .ping(let group, let completion):
        group.begin(completion)
        watch(group.deadline)
        pending.append(command)
      case .publish, .subscribe, .unsubscribe:
        pending.append(command)
      case .close(let closer):
        if let closer { closers.append(closer) }
        guard !isClosing else { continue }
        isClosing = true
        pending.append(.close(nil))
      }
    }
    taken.removeAll(keepingCapacity: taken.capacity < 4096)
    if hasCancelled { removeFinished() }
    if isClosing, connection?.isReady != true {
      finish(nil)
    } else {
      writePending()
    }
  }

  /// Ends everything.
  ///
  /// - Parameter error: why, unless the user has closed the client.
  func finish(_ error: NATSError?) {
    loop.preconditionInEventLoop()
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
    for command in outbox.close() {
      // What the session has not had yet begins now, so that it can fail.
      switch command {
      case .request(let group, let completion), .ping(let group, let completion): group.begin(completion)
      case .publish, .subscribe, .unsubscribe, .cancel, .close: break
      }
      pending.append(command)
    }
    for command in pending {
      switch command {
      case .request(let group, _), .ping(let group, _): group.fail { _ in reason }
      case .subscribe(let inbox): inbox.end(with: error)
      case .close(let closer): closer?.resume()
      case .publish, .cancel, .unsubscribe: break
      }
    }
    pending.removeAll()
    requests.fail { _, _ in reason }
    failPings(with: reason)
    for receiver in subscriptions.values { receiver.inbox.end(with: error) }
    subscriptions = [:]
    identifiers = [:]
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
