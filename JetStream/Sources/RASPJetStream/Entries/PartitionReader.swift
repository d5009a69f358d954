import Logging
import NIOCore
import RASPJournal
import RASPLogs
import RASPNATS

/// Reads the entries of a partition by a consumer, which begins at the entry that was read last, so that it is
/// compared: in a log that went back and has grown again another one is there. Another consumer is made when something
/// is missing, when nothing comes any more, and when the connection was lost.
actor PartitionReader<Entry: Sendable> {
  private let log: LogConnection
  private let partition: Int
  private let types: EntryTypes
  private let checkpoint: CheckpointStore
  private let poison: PoisonPolicy
  private let consumer: ConsumerHandle
  private var decoder: ValueDecoder<Entry>
  private var offset: Int
  /// That of the entry at the offset.
  private var identity: EntryIdentity
  /// Whether the consumer may deliver the entry at the offset first, which is compared and not read again.
  private var isComparing = false
  /// The newest entry that was there when the consumer was made.
  private var newest = 0
  private var time: Int64 = 0
  /// How many messages the consumer has sent.
  private var number = 0
  /// The last consumer was given up because the entry behind this offset did not come.
  private var gap: Int?

  init(
    of partition: Int,
    after offset: Int,
    identified identity: EntryIdentity,
    coding: Coding<Entry>,
    checkpoint: CheckpointStore,
    onPoison poison: PoisonPolicy,
    _ log: LogConnection
  ) {
    self.log = log
    self.checkpoint = checkpoint
    self.poison = poison
    self.partition = partition
    self.offset = max(0, offset)
    self.identity = offset > 0 ? identity : .unknown
    types = EntryTypes(of: coding)
    decoder = ValueDecoder(coding)
    consumer = log.consumer(of: log.names.stream(partition), subjects: log.names.subjects(partition))
  }

  func next() async throws(LogError) -> LogBatch<Entry>? {
    while !Task.isCancelled, !log.isClosed {
      do throws(LogError) {
        if !consumer.isActive { try await subscribe() }
        guard let messages = try await delivered() else {
          consumer.forget()
          continue
        }
        if let batch = try await take(messages) { return batch }
      } catch {
        consumer.forget()
        if case .closed = error { return nil }
        guard error.isTemporary else {
          log.logger.error("A partition cannot be read.", metadata: metadata(error))
          throw error
        }
        log.logger.debug("A partition cannot be read now.", metadata: metadata(error))
        // The log cannot be reached now: the reader goes on when it can.
        try? await Task.sleep(for: log.options.pause)
      }
    }
    consumer.forget()
    return nil
  }

  private func metadata(_ error: LogError) -> Logger.Metadata {
    ["log": "\(log.name)", "partition": "\(partition)", "reason": "\(error)"]
  }

  // MARK: The consumer

  private func delivered() async throws(LogError) -> [NATSMessage]? {
    do throws(JetStreamError) {
      return try await consumer.next()
    } catch {
      throw error.logError(log.name, partition)
    }
  }

  private func subscribe() async throws(LogError) {
    try log.check(partition)
    let stream: StreamInformation
    do throws(LogError) {
      stream = try await log.stream(of: partition, expecting: offset)
    } catch {
      // Entries were read, so the log is not as it was.
      guard case .refused = error, offset > 0 else { throw error }
      throw .wentBack(log: log.name, partition: partition, newest: 0, wanted: offset)
    }
    let state = stream.state
    if state.last < offset {
      throw .wentBack(log: log.name, partition: partition, newest: state.last, wanted: offset)
    }
    if state.last > offset, state.first > offset + 1 { try await checkDeleted(offset + 1...state.first - 1) }
    if identity != .unknown, state.first > offset {
      // The entry was deleted. What is known of it is in the record.
      let kept = try await checkpoint.identity(of: offset, created: stream.creation)
      guard kept.fits(identity) else {
        throw .wentBack(log: log.name, partition: partition, newest: state.last, wanted: offset)
      }
    }
    do throws(JetStreamError) {
      number = 0
      newest = state.last
      isComparing = identity != .unknown && state.first <= offset
      try await consumer.make("by_start_sequence", from: isComparing ? offset : offset + 1)
    } catch {
      throw error.logError(log.name, partition)
    }
  }

  // MARK: Messages

  /// Makes a batch of messages.
  ///
  /// - Returns: `nil` if there is no entry among them.
  private func take(_ messages: [NATSMessage]) async throws(LogError) -> LogBatch<Entry>? {
    var entries: [Logged<Entry>] = []
    entries.reserveCapacity(messages.count)
    let before = offset
    var pending = 0
    var last: (message: NATSMessage, time: Int64)?
    var skipped: [SkippedEntry] = []
    var first = offset + 1
    do throws(LogError) {
      for message in messages {
        guard let metadata = message.replyBytes.withUnsafeBytes(DeliveryMetadata.init) else {
          if try await isLost(message) { break }
          continue
        }
        if isComparing {
          number = metadata.number
          try compare(message, metadata)
        }
        if metadata.offset <= offset { continue }
        if metadata.offset > offset + 1 {
          guard gap == offset, offset == before else {
            gap = offset
            consumer.forget()
            break
          }
          try await checkDeleted(offset + 1...metadata.offset - 1)
          first = metadata.offset
        }
        number = metadata.number
        pending = metadata.pending
        time = max(time, metadata.time)
        do throws(LogError) {
          try decode(message, at: metadata.offset, into: &entries)
        } catch {
          try pass(over: metadata.offset, because: error, &skipped)
        }
        offset = metadata.offset
        last = (message, metadata.time)
      }
    } catch {
      // What came before is returned first. A consumer that begins behind it comes to the same error.
      guard offset > before else { throw error }
      consumer.forget()
    }
    guard offset > before, let last else { return nil }
    gap = nil
    identity = EntryIdentity(time: last.time, headers: last.message.headers)
    // One message may have no entries in this version, or several.
    assert(entries.allSatisfy { before < $0.offset && $0.offset <= offset }, "The entries are those of the batch.")
    log.partitions[partition].see(offset)
    log.hooks.read(entries.count, behind: pending)
    return LogBatch(offsets: first...offset, entries: entries, skipped: skipped, identity: identity)
  }

  /// A gap that is there again when a consumer begins at it is one of the stream: what was there was deleted, or
  /// it was lost.
  private func checkDeleted(_ missing: ClosedRange<Int>) async throws(LogError) {
    guard let lost = try await DeletedEntries(log: log).firstLost(in: missing, of: partition) else { return }
    throw .missing(log: log.name, partition: partition, offset: lost)
  }

  /// Takes the first message of a consumer that begins at the entry that was read last.
  private func compare(_ message: NATSMessage, _ metadata: DeliveryMetadata) throws(LogError) {
    isComparing = false
    // An entry that was deleted cannot be compared.
    guard metadata.offset == offset else { return }
    guard EntryIdentity(time: metadata.time, headers: message.headers).fits(identity) else {
      throw .wentBack(log: log.name, partition: partition, newest: max(newest, offset), wanted: offset)
    }
  }

  private func decode(
    _ message: NATSMessage,
    at offset: Int,
    into entries: inout [Logged<Entry>]
  ) throws(LogError) {
    let type = types.type(of: message)
    let time = Duration.nanoseconds(time)
    let count = entries.count
    do throws(CodingError) {
      try message.payload.withUnsafeReadableBytes { bytes throws(CodingError) in
        try decoder.decode(bytes, of: type) { entries.append(Logged(offset: offset, time: time, entry: $0)) }
      }
    } catch {
      entries.removeLast(entries.count - count)
      throw .unreadable(log: log.name, partition: partition, offset: offset, reason: error)
    }
  }

  /// Leaves out an entry that cannot be read, if the policy says so.
  private func pass(
    over offset: Int,
    because failure: LogError,
    _ skipped: inout [SkippedEntry]
  ) throws(LogError) {
    if poison == .stop { throw failure }
    let position = LogPosition(log: log.name, partition: partition, offset: offset)
    skipped.append(SkippedEntry(position: position, reason: failure))
    log.logger.warning("An entry was passed over.", metadata: metadata(failure))
  }

  /// Takes a message that is no entry.
  ///
  /// - Returns: whether it tells that messages were lost before it.
  private func isLost(_ message: NATSMessage) async throws(LogError) -> Bool {
    guard message.status == 100 else { return false }
    let headers = message.headers
    // JetStream sends more after this answer, which is due when all before it was read.
    let answer = message.reply ?? headers["Nats-Consumer-Stalled"]
    if let answer {
      do throws(JetStreamError) {
        try await log.jetStream.publish(ByteBuffer(), to: answer)
      } catch {
        throw error.logError(log.name, partition)
      }
      return false
    }
    guard let last = headers["Nats-Last-Consumer"].flatMap(Int.init), last > number else { return false }
    consumer.forget()
    return true
  }
}
