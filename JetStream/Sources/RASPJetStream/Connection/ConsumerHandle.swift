import NIOConcurrencyHelpers
import NIOCore
import RASPNATS

/// The consumer of a reader, whose messages JetStream pushes to a subscription of its own. The log may interrupt it,
/// and the reader makes another one then.
///
/// Safe to share: what changes is behind the lock.
final class ConsumerHandle: Sendable {
  private struct State: Sendable {
    var subscription: NATSSubscription?
    /// The name of the consumer, once JetStream has made it.
    var consumer: String?
    var isWaiting = false
    /// Whether something has come since the last look, if only a heartbeat.
    var hasReceived = false
  }

  private let jetStream: JetStream
  private let stream: String
  /// The subjects that the messages of the stream have.
  private let subjects: [String]
  private let heartbeat: Duration
  private let state = NIOLockedValueBox(State())

  init(of stream: String, subjects: [String], _ jetStream: JetStream, heartbeat: Duration) {
    self.stream = stream
    self.subjects = subjects
    self.jetStream = jetStream
    self.heartbeat = heartbeat
  }

  deinit { forget() }

  /// Whether there is a consumer, as far as is known.
  var isActive: Bool { state.withLockedValue { $0.consumer != nil } }

  /// Makes a consumer in place of the one before.
  func make(_ policy: String, from start: Int? = nil, filter: String? = nil) async throws(JetStreamError) {
    forget()
    let inbox = jetStream.client.inbox()
    let subscription = try await jetStream.subscribe(to: inbox, delivering: subjects)
    state.withLockedValue { $0 = State(subscription: subscription) }
    let configuration = ConsumerConfiguration(
      deliverSubject: inbox,
      deliverPolicy: policy,
      optStartSeq: start,
      filterSubject: filter,
      idleHeartbeat: heartbeat.nanoseconds
    )
    do throws(JetStreamError) {
      let consumer = try await jetStream.makeConsumer(of: stream, configuration)
      state.withLockedValue { $0.consumer = consumer }
    } catch {
      forget()
      throw error
    }
  }

  /// The messages that have come; waits for some if there are none.
  ///
  /// - Returns: `nil` if nothing comes from the consumer any more.
  /// - Errors: why the server does not let the client subscribe.
  func next() async throws(JetStreamError) -> [NATSMessage]? {
    guard let subscription = wait(true) else { return nil }
    defer { _ = wait(false) }
    do throws(NATSError) {
      return try await subscription.nextBatch()
    } catch {
      switch error {
      // Another consumer begins where the reader is. The client has told of what was read too slowly.
      case .slowConsumer, .cancelled, .closed: return nil
      default: throw .connection(error)
      }
    }
  }

  private func wait(_ isWaiting: Bool) -> NATSSubscription? {
    state.withLockedValue { state in
      state.isWaiting = isWaiting
      state.hasReceived = true
      return state.subscription
    }
  }

  /// Ends the consumer.
  func forget() {
    let old = state.withLockedValue { state in
      defer { state = State() }
      return state
    }
    old.subscription?.unsubscribe()
    guard let consumer = old.consumer else { return }
    // JetStream deletes it in any case when its subject has no subscription.
    Task { [jetStream, stream] in
      try? await jetStream.publish(ByteBuffer(), to: "$JS.API.CONSUMER.DELETE.\(stream).\(consumer)")
    }
  }

  /// Ends the wait of the reader, which then makes another consumer.
  func interrupt() { state.withLockedValue { $0.subscription }?.unsubscribe() }

  /// Interrupts the reader if it has waited since the last call, and nothing has come: not even a heartbeat.
  func interruptIfSilent() {
    let silent = state.withLockedValue { state -> NATSSubscription? in
      defer { state.hasReceived = false }
      return state.isWaiting && !state.hasReceived ? state.subscription : nil
    }
    silent?.unsubscribe()
  }
}

/// The readers of a log that are there now.
///
/// Safe to share: what changes is behind the lock.
final class Readers: Sendable {
  private struct Weak: Sendable { weak var handle: ConsumerHandle? }

  private let handles = NIOLockedValueBox<[Weak]>([])

  func add(_ handle: ConsumerHandle) {
    handles.withLockedValue { handles in
      handles.removeAll { $0.handle == nil }
      handles.append(Weak(handle: handle))
    }
  }

  var all: [ConsumerHandle] { handles.withLockedValue { $0.compactMap(\.handle) } }
}
