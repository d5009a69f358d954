import NIOConcurrencyHelpers
import NIOCore
import RASPLogs
import RASPNATS

/// Stores entries in the stream of a partition, and asks again until it is known that they are there.
///
/// A stream that takes atomic batches stores several as one, whose last message has an identity: JetStream refuses a
/// batch that is there already. Single entries, and those of other streams, have an identity in each message. One of
/// them is in flight: of several, a later one may be stored while the one before is refused for a moment, and a new
/// leader may have it while it does not have the one before.
///
/// Safe to share: what changes is behind the lock. One call at a time keeps the order of the calls.
final class EntryStore: Sendable {
  /// The greatest number of messages of a batch, and of their bytes.
  static let greatestBatch = (messages: 1_000, bytes: 4 << 20)

  private struct State: Sendable {
    var usesBatches: Bool
    var number: UInt64 = 0
  }

  private let log: LogConnection
  private let partition: Int
  private let state: NIOLockedValueBox<State>
  /// No other store has this name.
  private let writer = String(UInt64.random(in: .min ... .max), radix: 36)

  /// - Parameter usesBatches: whether the stream takes atomic batches. The version of a server does not tell it: a
  ///   stream of an older one takes none, and its leader may be an older server than the one that is connected.
  init(_ log: LogConnection, _ partition: Int, usesBatches: Bool) {
    self.log = log
    self.partition = partition
    state = NIOLockedValueBox(State(usesBatches: usesBatches))
  }

  /// The error of a caller whose task ends while its entries are being stored.
  var unacknowledged: LogError { .unacknowledged(log: log.name, partition: partition) }

  /// The error of a caller whose task ends before its entries are sent.
  var cancelled: LogError {
    .unavailable(log: log.name, reason: "the task was cancelled before the entries were sent, so nothing was appended")
  }

  func store(_ entries: [EncodedEntry]) async -> StoredEntries {
    var stored = StoredEntries(log: log.name, partition: partition)
    let seen = log.partitions[partition].newestSeen
    var rest = entries[...]
    while !rest.isEmpty {
      let piece = Self.piece(of: rest)
      assert(!piece.isEmpty, "Each turn stores something.")
      rest = rest.dropFirst(piece.count)
      do throws(LogError) {
        if piece.count > 1, let last = try await storeBatch(piece) {
          stored.append(piece.count, last: .success(last))
        } else {
          for entry in piece { stored.append(1, last: try await storeSingle(entry)) }
        }
      } catch {
        stored.append(entries.count - stored.count, last: .failure(error))
        break
      }
    }
    guard let newest = stored.newest else { return stored }
    // What stands at the place of an entry that was there before is in a log that went back.
    if let first = stored.earliestEnd, first <= seen {
      return stored.failing(with: .wentBack(log: log.name, partition: partition, newest: newest, wanted: seen))
    }
    log.partitions[partition].see(newest)
    return stored
  }

  private static func piece(of entries: ArraySlice<EncodedEntry>) -> ArraySlice<EncodedEntry> {
    var size = 0
    let count = entries.prefix(greatestBatch.messages).prefix { entry in
      size += entry.size
      return size <= greatestBatch.bytes
    }.count
    return entries.prefix(max(1, count))
  }

  // MARK: Batches

  /// - Returns: the offset of the last one; `nil` if the stream has no batches.
  private func storeBatch(_ entries: ArraySlice<EncodedEntry>) async throws(LogError) -> Int? {
    guard state.withLockedValue({ $0.usesBatches }) else { return nil }
    let identity = nextIdentity()
    var isStored = false
    do throws(LogError) {
      return try await acknowledged { jetStream async throws(JetStreamError) in
        do throws(JetStreamError) {
          if !isStored { return try await self.sendBatch(entries, closing: identity, jetStream) }
        } catch {
          if error.code == JetStreamError.Code.batchesDisabled { self.state.withLockedValue { $0.usesBatches = false } }
          guard error.code == JetStreamError.Code.batchHasDuplicate else { throw error }
          isStored = true
        }
        return try await self.offset(of: identity, jetStream)
      }
    } catch {
      // Only what was refused has not been stored by an earlier try, and goes one by one.
      if case .refused = error, !state.withLockedValue({ $0.usesBatches }) { return nil }
      throw error
    }
  }

  /// The offset of a message that is stored, by its identity.
  private func offset(of identity: String, _ jetStream: JetStream) async throws(JetStreamError) -> Int {
    var headers = EntryHeaders.single(identity, type: nil)
    // No message has this identity. So what is not known any more is refused, and not stored as another entry.
    headers["Nats-Expected-Last-Msg-Id"] = "-"
    do throws(JetStreamError) {
      return try await jetStream.store(ByteBuffer(), to: log.names.subject(partition), headers: headers)
    } catch {
      guard error.code == JetStreamError.Code.wrongLastMessage else { throw error }
      let reason = "entries were stored, and their stream does not know them any more"
      throw log.replicas > 1 ? .outdated(reason: reason) : .unreadable(reason: reason)
    }
  }

  private func sendBatch(
    _ entries: ArraySlice<EncodedEntry>,
    closing identity: String,
    _ jetStream: JetStream
  ) async throws(JetStreamError) -> Int {
    let subject = log.names.subject(partition)
    let batch = nextIdentity()
    var requests: [NATSRequest] = []
    requests.reserveCapacity(entries.count)
    for (index, entry) in entries.enumerated() {
      let closing = index == entries.count - 1 ? identity : nil
      let headers = EntryHeaders.part(index + 1, of: batch, closing: closing, type: entry.type)
      requests.append(NATSRequest(entry.payload, to: subject, headers: headers))
    }
    assert(requests.count > 1, "One entry alone is no batch.")
    let last = requests.removeLast()
    for request in requests { try await jetStream.publish(request.payload, to: subject, headers: request.headers) }
    let answer = try await jetStream.request(last.payload, to: subject, headers: last.headers)
    let sequence = try JetStream.sequence(answer)
    let count = answer.payload.withUnsafeReadableBytes { Acknowledgement.number(of: #""count":"#, in: $0) }
    guard count == entries.count else {
      // It does not know batches: it has stored each message that has come, and would do so again.
      state.withLockedValue { $0.usesBatches = false }
      throw .unreadable(reason: "a server has stored the entries of an append one by one")
    }
    return sequence
  }

  // MARK: Singles

  /// - Returns: the offset, or why this entry is refused, which the next ones may not be.
  private func storeSingle(_ entry: EncodedEntry) async throws(LogError) -> Result<Int, LogError> {
    let headers = EntryHeaders.single(nextIdentity(), type: entry.type)
    do throws(LogError) {
      return .success(
        try await acknowledged { jetStream async throws(JetStreamError) in
          try await jetStream.store(entry.payload, to: self.log.names.subject(self.partition), headers: headers)
        }
      )
    } catch {
      if case .refused = error { return .failure(error) }
      throw error
    }
  }

  // MARK: Asking again

  private func acknowledged<Result>(
    _ body: (JetStream) async throws(JetStreamError) -> Result
  ) async throws(LogError) -> Result {
    try await log.storing(partition) { jetStream async throws(JetStreamError) in
      do throws(JetStreamError) {
        return try await body(jetStream)
      } catch {
        if case .connection(.noResponders) = error { try await self.checkStream(jetStream) }
        throw error
      }
    }
  }

  /// A subject without a responder is one of a stream that was deleted, or of a server that has just started.
  private func checkStream(_ jetStream: JetStream) async throws(JetStreamError) {
    do throws(JetStreamError) {
      _ = try await jetStream.stream(log.names.stream(partition))
    } catch {
      if error.code == JetStreamError.Code.streamNotFound { throw error }
    }
  }

  private func nextIdentity() -> String {
    let number = state.withLockedValue { state in
      state.number += 1
      return state.number
    }
    return "\(writer)-\(partition)-\(String(number, radix: 36))"
  }
}
