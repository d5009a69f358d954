import NIOConcurrencyHelpers
import NIOCore
import RASPLogs
import RASPNATS

/// Stores entries in the stream of a partition, and asks again until it is known that they are there.
///
/// Servers from 2.12 on store several as an atomic batch, whose last message has an identity: JetStream refuses a batch
/// that is there already. Older servers, and single entries, have an identity in each message. With one replica these
/// are sent without waiting for each other, because a server that stops has stored the first ones; with several
/// replicas one is in flight, because a new leader may have the later one and not the earlier.
///
/// Safe to share: what changes is behind the lock. One call at a time keeps the order of the calls.
final class EntryStore: Sendable {
  /// The greatest number of messages of a batch, and of their bytes.
  static let greatestBatch = (messages: 1_000, bytes: 4 << 20)

  private struct State: Sendable {
    var usesBatches = true
    var number: UInt64 = 0
  }

  private let log: LogConnection
  private let partition: Int
  private let state: NIOLockedValueBox<State>
  /// No other store has this name.
  private let writer = String(UInt64.random(in: .min ... .max), radix: 36)

  init(_ log: LogConnection, _ partition: Int) {
    self.log = log
    self.partition = partition
    state = NIOLockedValueBox(State(usesBatches: log.hasBatches))
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
          for result in try await storeSingles(piece) { stored.append(1, last: result) }
        }
      } catch {
        stored.append(piece.count + rest.count, last: .failure(error))
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
    return try await acknowledged { jetStream async throws(JetStreamError) in
      do throws(JetStreamError) {
        return try await self.sendBatch(entries, closing: identity, jetStream)
      } catch {
        switch error.code {
        case JetStreamError.Code.batchesDisabled:
          self.state.withLockedValue { $0.usesBatches = false }
          return nil
        case JetStreamError.Code.batchHasDuplicate:
          // It was stored before. What is stored with its identity now is not stored, and its answer tells the offset.
          return try await jetStream.store(
            entries[entries.endIndex - 1].payload,
            to: self.log.names.subject(self.partition),
            headers: EntryHeaders.single(identity, type: nil)
          )
        default: throw error
        }
      }
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
    return try await jetStream.store(last.payload, to: subject, headers: last.headers)
  }

  // MARK: Singles

  private func storeSingles(
    _ entries: ArraySlice<EncodedEntry>
  ) async throws(LogError) -> [Result<Int, LogError>] {
    let subject = log.names.subject(partition)
    let requests = entries.map { entry in
      NATSRequest(entry.payload, to: subject, headers: EntryHeaders.single(nextIdentity(), type: entry.type))
    }
    var stored: [Result<Int, LogError>] = []
    while stored.count < requests.count {
      let rest = requests.dropFirst(stored.count)
      let next = Array(log.replicas > 1 ? rest.prefix(1) : rest)
      let results = try await acknowledged { jetStream async throws(JetStreamError) in
        let results = await jetStream.requests(next).map(Self.sequence)
        // If one may succeed a moment later all are sent again. JetStream knows those that are there by their
        // identities.
        var failure: JetStreamError?
        for case .failure(let error) in results where error.isTemporary && failure?.isWithoutEffect != false {
          failure = error
        }
        guard let failure else { return results }
        let isPartial = results.contains { if case .success = $0 { true } else { false } }
        guard isPartial, failure.isWithoutEffect else { throw failure }
        throw .connection(.connectionLost(server: self.log.client.server.url, reason: "\(failure.reason)"))
      }
      assert(results.count == next.count, "Each request has a result.")
      stored += results.map { $0.mapError { $0.logError(self.log.name, self.partition) } }
    }
    return stored
  }

  private static func sequence(of result: Result<NATSMessage, NATSError>) -> Result<Int, JetStreamError> {
    result.mapError { .connection($0) }.flatMap { answer in
      Result { () throws(JetStreamError) in try JetStream.sequence(answer) }
    }
  }

  // MARK: Asking again

  private func acknowledged<Result>(
    _ body: (JetStream) async throws(JetStreamError) -> Result
  ) async throws(LogError) -> Result {
    try await log.storing(partition) { (jetStream, _) async throws(JetStreamError) in
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
