import NIOCore
import RASPLogs
import RASPNATS

/// One member of a log: renews its lease in a bucket, whose messages are gone after the lease, and watches those of
/// others.
///
/// Without a connection it keeps its partitions, because nothing is known of the others. When the connection is there
/// again, all who were there have a whole lease to say so, and then the partitions are divided anew.
actor LogMember {
  private let name: String
  private let key: String
  private let log: LogConnection
  private let consumer: ConsumerHandle
  private let send: @Sendable (Set<Int>) -> Void
  private var view: MemberView
  private var share: Set<Int>?
  /// Whether all members were heard of that were there in the beginning.
  private var isKnown = false
  private let start = ContinuousClock.now

  /// - Parameter send: gets the partitions of the member, whenever they change.
  init(_ name: String, of log: LogConnection, send: @escaping @Sendable (Set<Int>) -> Void) {
    self.name = name
    self.log = log
    self.send = send
    key = log.names.member(name)
    view = MemberView(of: key, lease: log.options.lease)
    consumer = log.consumer(of: log.names.members, subjects: [log.names.allMembers])
  }

  /// Returns when the task is cancelled and the other members were told.
  func run() async {
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await self.renewAlways() }
      group.addTask { await self.watchAlways() }
      group.addTask { await self.divideAlways() }
    }
    consumer.forget()
    try? await log.client.publish(ByteBuffer(), to: key, headers: ["KV-Operation": "DEL"])
  }

  private var now: Duration { start.duration(to: .now) }

  // MARK: The own lease

  private func renewAlways() async {
    while !Task.isCancelled {
      await renew()
      try? await Task.sleep(for: log.options.lease / 3)
    }
  }

  private func renew() async { try? await log.client.publish(ByteBuffer(string: name), to: key) }

  // MARK: The others

  private func watchAlways() async {
    var isFirst = true
    while !Task.isCancelled, !log.isClosed {
      await watch(again: !isFirst)
      isFirst = false
      consumer.forget()
      // A server that does not answer is not asked without a pause.
      try? await Task.sleep(for: log.options.pause)
    }
  }

  /// Returns when something was lost, or the connection.
  private func watch(again: Bool) async {
    await renew()
    do throws(JetStreamError) {
      try await consumer.make("last_per_subject", filter: log.names.allMembers)
    } catch {
      return
    }
    if again { view.extendAll(at: now) }
    var number = 0
    while !Task.isCancelled, let messages = await consumer.next() {
      var isComplete = true
      for message in messages {
        guard let metadata = message.replyBytes.withUnsafeBytes(DeliveryMetadata.init) else {
          if let answer = message.reply { try? await log.client.publish(ByteBuffer(), to: answer) }
          continue
        }
        isComplete = isComplete && metadata.number == number + 1
        number = metadata.number
        isKnown = metadata.pending == 0 || isKnown
        take(message, metadata)
      }
      divide()
      if !isComplete { break }
    }
  }

  private func take(_ message: NATSMessage, _ metadata: DeliveryMetadata) {
    let key = message.subject
    if message.hasHeaders, message.headers["KV-Operation"] != nil {
      view.remove(key)
    } else {
      view.renew(key, name: String(buffer: message.payload), at: .nanoseconds(metadata.time), now: now)
    }
  }

  // MARK: The partitions

  private func divideAlways() async {
    while !Task.isCancelled {
      // A lease that is renewed meanwhile only ends later.
      let wait = view.nextEnd(after: now).map { $0 - now + .milliseconds(1) } ?? log.options.lease / 2
      try? await Task.sleep(for: min(wait, log.options.lease / 2))
      divide()
    }
  }

  private func divide() {
    guard isKnown, !Task.isCancelled, let members = view.members(at: now) else { return }
    // Without a connection it is not seen when others renew their leases.
    guard log.isConnected else { return }
    let share = LogAssignment.share(
      of: name,
      among: members.union([name]),
      partitions: log.partitions.count
    )
    assert(share.allSatisfy(log.partitions.indices.contains), "A member gets partitions that there are.")
    if share == self.share { return }
    self.share = share
    send(share)
  }
}
