import NIOCore
import NIOPosix
import Streams
import Synchronization

/// A client of a NATS server: publishes, asks, subscribes, and connects again by itself.
///
///     let client = try await NATSClient.connect(to: "nats://127.0.0.1:4222")
///     let readings = try await client.subscribe(to: "readings.*")
///     try await client.publish(ByteBuffer(string: "81"), to: "readings.boiler-7")
///     while let batch = try await readings.nextBatch() { print(batch.map(\.subject)) }
///
/// ### What happens without a connection
///
/// The client connects again, to the same server or to another one, and ``status`` tells of it. Subscriptions go on;
/// what was published to them meanwhile is lost, as always in NATS outside of JetStream. A request that was sent fails
/// with ``NATSError/connectionLost(server:reason:)``, because it may have been done. Requests and messages that were
/// not sent yet wait for the new connection, up to `writeLimit` bytes; above it they fail with
/// ``NATSError/disconnected(server:reason:)``, and nothing of them is sent.
///
/// - Ordering: what one task sends arrives in its order, messages and requests alike.
/// - Concurrency: every member may be called from any thread. All work is done on one event loop.
package final class NATSClient: Sendable {
  let session: SessionReference
  private let inboxes: InboxNames

  private init(session: SessionReference, inboxes: InboxNames) {
    self.session = session
    self.inboxes = inboxes
  }

  deinit { session.putEnd(.close(nil)) }

  /// Connects to the first server that accepts the client.
  ///
  /// - Parameters:
  ///   - servers: addresses as in `nats://127.0.0.1:4222` or `tls://user:password@nats.example.org`. The port is 4222
  ///     if none is given. All of them should belong to one cluster.
  ///   - options: how to connect.
  /// - Errors: the error of the server that was tried last.
  package static func connect(
    to servers: [String],
    options: NATSOptions = NATSOptions()
  ) async throws(NATSError) -> NATSClient {
    var addresses: [ServerAddress] = []
    for server in servers { addresses.append(try ServerAddress(server)) }
    guard !addresses.isEmpty else { throw .invalidAddress("") }
    let inboxes = InboxNames(prefix: options.inboxPrefix)
    let session = SessionReference(
      Session(
        servers: addresses,
        options: options,
        loop: MultiThreadedEventLoopGroup.singleton.next(),
        identifier: inboxes.identifier
      )
    )
    // Made at once: its end closes the session, also if the caller does not wait.
    let client = NATSClient(session: session, inboxes: inboxes)
    let error = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        session.onLoop { $0.open(continuation) }
      }
    } onCancel: {
      session.onLoop { $0.finish(.cancelled) }
    }
    if let error { throw error }
    return client
  }

  /// Connects to the first server that accepts the client, see ``connect(to:options:)-([String],_)``.
  package static func connect(
    to servers: String...,
    options: NATSOptions = NATSOptions()
  ) async throws(NATSError) -> NATSClient {
    try await connect(to: servers, options: options)
  }

  package var options: NATSOptions { session.options }

  /// What the present server says about itself, or the last one.
  package var server: NATSServerInfo { session.outbox.server.info }

  /// Whether there is a connection: the present status first, then each change.
  ///
  /// - Concurrency: subscribers are called on the event loop of the client, so they must not block.
  package var status: Observable<NATSStatus, Never> { session.status.observable }

  /// What a server says that ends no connection: subjects that are not permitted, or that it is about to stop.
  ///
  /// - Concurrency: subscribers are called on the event loop of the client, so they must not block.
  package var problems: Observable<NATSError, Never> { session.problems.observable }

  /// A new subject to which answers can go.
  package func inbox() -> String { inboxes.next() }

  /// Subscribes to a subject.
  ///
  /// - Parameters:
  ///   - subject: words between points; a word may be `*`, and the last one `>`.
  ///   - others: other subjects of messages that may come to this subscription. A consumer of JetStream sends messages
  ///     with the subjects that they have in its stream. A message with a subject of neither kind is dropped, and
  ///     ``problems`` tells of it.
  /// - Returns: the subscription. Everything that this client sends later comes to the server after it.
  /// - Errors: ``NATSError/invalidSubject(_:)`` or ``NATSError/closed``. What the server refuses ends the subscription.
  package func subscribe(
    to subject: String,
    delivering others: [String] = []
  ) async throws(NATSError) -> NATSSubscription {
    for subject in [subject] + others where !SubjectRules.isPattern(subject) { throw .invalidSubject(subject) }
    let limit = session.options.subscriptionLimit
    let inbox = SubscriptionInbox(subject: subject, delivering: others, limit: limit)
    try session.put(.subscribe(inbox))
    return NATSSubscription(inbox: inbox, session: session)
  }

  /// Sends what was published before, and ends the connection, the subscriptions and the requests that wait.
  ///
  /// It waits until the server has taken what was sent, not longer than `requestTimeLimit`. Without a connection what
  /// was not sent is given up: call ``flush()`` before if you must know.
  package func close() async {
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
      if !session.putEnd(.close(continuation)) { continuation.resume() }
    }
  }
}

/// Makes subjects for answers that no other client has.
///
/// - Concurrency: the number is atomic.
final class InboxNames: Sendable {
  /// Ten random characters and more are in it, so that two clients never have the same one.
  let identifier: String
  private let prefix: String
  private let count = Atomic<Int>(0)

  init(prefix: String) {
    let characters = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")
    identifier = String((0..<22).map { _ in characters[Int.random(in: 0..<62)] })
    self.prefix = prefix
  }

  func next() -> String {
    // One word more than the answers of requests have, which a subscription with one wildcard receives.
    "\(prefix).\(identifier).in.\(count.wrappingAdd(1, ordering: .relaxed).newValue)"
  }
}
