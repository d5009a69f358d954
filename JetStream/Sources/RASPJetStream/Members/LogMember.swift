import Logging
import NIOCore
import RASPLogs
import RASPNATS

/// One member of a log: renews its lease in a bucket, whose messages are gone after the lease, and watches those of
/// others.
///
/// Without a connection it keeps its partitions, because nothing is known of the others. When the connection is there
/// again, all who were there have a whole lease to say so, and then the partitions are divided anew.
///
/// Who only looks has no lease, and watches those of the members.
actor LogMember {
  /// `nil` for those who only look.
  private let member: LogOwner?
  /// The subject of the own lease.
  private let key: String?
  private let log: LogConnection
  private let consumer: ConsumerHandle
  private let send: @Sendable (LogOwners) -> Void
  private var view: MemberView
  private var owners: LogOwners?
  /// Whether all members were heard of that were there in the beginning.
  private var isKnown = false
  private let start = ContinuousClock.now

  /// - Parameters:
  ///   - member: `nil` for those who only look.
  ///   - send: gets the owners of all partitions, whenever they change.
  init(_ member: LogOwner?, of log: LogConnection, send: @escaping @Sendable (LogOwners) -> Void) {
    self.member = member
    self.log = log
    self.send = send
    key = member.map { log.names.member($0.member) }
    view = MemberView(of: key, lease: log.options.lease)
    consumer = log.consumer(of: log.names.members, subjects: [log.names.allMembers])
  }

  /// Returns when the task is cancelled and the other members were told.
  func run() async {
    await withTaskGroup(of: Void.self) { group in
      if member != nil { group.addTask { await self.renewAlways() } }
      group.addTask { await self.watchAlways() }
      group.addTask { await self.divideAlways() }
    }
    consumer.forget()
    await leave()
  }

  private var now: Duration { start.duration(to: .now) }
  private var name: String { member?.member ?? "" }

  // MARK: The own lease

  private func renewAlways() async {
    let clock = ContinuousClock()
    while !Task.isCancelled {
      let next = clock.now + log.options.lease / 3
      await renew()
      try? await clock.sleep(until: next)
    }
  }

  private func renew() async {
    guard let member, let key else { return }
    var headers = NATSHeaders()
    headers[MemberAddress.header] = member.address.map(MemberAddress.text)
    do throws(JetStreamError) {
      _ = try await soon.store(ByteBuffer(string: member.member), to: key, headers: headers)
    } catch {
      // A task that ends has no more to renew.
      if Task.isCancelled { return }
      log.logger.warning("A lease could not be renewed.", metadata: metadata(error))
    }
  }

  /// Tells the others that the member has left. A server that does not answer soon is not waited for: the lease ends.
  private func leave() async {
    guard let key else { return }
    // The task of the member was cancelled, and its requests would be.
    let soon = soon
    let left = Task { () async -> JetStreamError? in
      do throws(JetStreamError) {
        _ = try await soon.store(ByteBuffer(), to: key, headers: ["KV-Operation": "DEL"])
        return nil
      } catch {
        return error
      }
    }
    guard let error = await left.value else { return }
    log.logger.warning("The other members could not be told that a member has left.", metadata: metadata(error))
  }

  /// What is done before another renewal is due, or not at all.
  private var soon: JetStream { JetStream(client: log.client, deadline: .now + log.options.lease / 3) }

  private func metadata(_ error: JetStreamError) -> Logger.Metadata {
    ["log": "\(log.name)", "member": "\(name)", "reason": "\(error.reason)"]
  }

  // MARK: The others

  private func watchAlways() async {
    var isFirst = true
    while !Task.isCancelled, !log.isClosed {
      var pause = log.options.pause
      do throws(JetStreamError) {
        try await watch(again: !isFirst)
      } catch {
        if !error.isTemporary {
          log.logger.error("The members of a log cannot be read.", metadata: metadata(error))
          pause = log.options.lease
        } else if !Task.isCancelled {
          log.logger.debug("The members of a log cannot be read now.", metadata: metadata(error))
        }
      }
      isFirst = false
      consumer.forget()
      // A server that does not answer is not asked without a pause.
      try? await Task.sleep(for: pause)
    }
  }

  /// Returns when something was lost, or the connection.
  private func watch(again: Bool) async throws(JetStreamError) {
    await renew()
    try await consumer.make("last_per_subject", filter: log.names.allMembers)
    if again { view.extendAll(at: now) }
    var number = 0
    while !Task.isCancelled, let messages = try await consumer.next() {
      var isComplete = true
      for message in messages {
        guard let metadata = message.replyBytes.withUnsafeBytes(DeliveryMetadata.init) else {
          if let answer = message.reply { try await log.jetStream.publish(ByteBuffer(), to: answer) }
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
    let name = String(buffer: message.payload)
    // One who leaves, a person and a server whose markers are switched on remove a key in different ways. None of them
    // leaves the name to which the key belongs, and another program that puts a key there does not know it.
    if key != log.names.member(name) {
      view.remove(key)
    } else {
      let address = message.hasHeaders ? MemberAddress(message.headers).address : nil
      let owner = LogOwner(name, at: address)
      view.renew(key, owner, at: .nanoseconds(metadata.time), now: now)
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
    guard isKnown || member == nil, !Task.isCancelled, var members = view.owners(at: now) else { return }
    // Without a connection it is not seen when others renew their leases.
    guard log.isConnected else { return }
    // The own lease may not have come back yet.
    if let member { members.append(member) }
    let owners = LogOwners(dividing: log.partitions.count, among: members)
    if owners == self.owners { return }
    let share = owners.partitions(of: name)
    if member != nil, share != self.owners?.partitions(of: name) {
      let (before, count) = (self.owners?.partitions(of: name).count ?? 0, Set(members.map(\.member)).count)
      log.logger.info(
        "A member has other partitions now.",
        metadata: [
          "log": "\(log.name)", "member": "\(name)", "before": "\(before)", "now": "\(share.count)",
          "members": "\(count)",
        ]
      )
    }
    self.owners = owners
    send(owners)
  }
}
