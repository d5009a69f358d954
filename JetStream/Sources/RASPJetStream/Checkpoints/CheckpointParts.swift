import Logging
import NIOCore
import RASPLogs
import RASPNATS

/// The parts of the rows of large checkpoints, in the same bucket. They are written before the checkpoint that names
/// them, and those of older checkpoints are removed after it.
struct CheckpointParts: Sendable {
  /// The memory that is taken for rows before they have come. Beyond it the array grows with what comes: the number in
  /// a checkpoint is what another program may have written into the bucket.
  private static let greatestReservation = 64 << 20
  /// The smallest part into which rows are cut: a server that takes less is none for a log.
  private static let leastPart = 1 << 10

  let log: LogConnection
  let partition: Int

  /// How many parts so many bytes need; 0 if they stand in the checkpoint.
  func count(of bytes: Int) throws(LogError) -> Int {
    let most = min(CheckpointFormat.greatestPart, log.client.server.maxPayload / 2)
    guard most >= Self.leastPart else {
      throw .refused(
        log: log.name,
        partition: partition,
        reason: """
          the server takes messages of \(log.client.server.maxPayload) bytes, and a record needs \(2 * Self.leastPart). Set \
          `max_payload` in its configuration.
          """
      )
    }
    return bytes <= most ? 0 : (bytes + most - 1) / most
  }

  // MARK: Reading

  /// The newest message of a subject of the bucket.
  func newest(of subject: String) async throws(LogError) -> JetStream.Stored? {
    try await log.retrying(partition) { jetStream async throws(JetStreamError) in
      try await jetStream.newest(of: subject, in: log.names.bucket)
    }
  }

  /// The rows of a checkpoint; `nil` if a part is missing.
  func rows(of checkpoint: CheckpointFormat) async throws(LogError) -> [UInt8]? {
    if checkpoint.parts == 0 { return [UInt8](checkpoint.rows.readableBytesView) }
    var rows: [UInt8] = []
    rows.reserveCapacity(min(checkpoint.count, Self.greatestReservation))
    for index in 0..<checkpoint.parts {
      guard let part = try await newest(of: subject(index, of: checkpoint)), !part.isRemoved else { return nil }
      rows.append(contentsOf: part.payload.readableBytesView)
      if rows.count > checkpoint.count { break }
    }
    guard rows.count == checkpoint.count else {
      throw damaged("its parts have \(rows.count) bytes, and should have \(checkpoint.count)")
    }
    return rows
  }

  // MARK: Writing

  /// Writes the parts of rows.
  ///
  /// - Returns: the sequence of the first one; `nil` if there is none.
  func write(_ rows: [UInt8], of checkpoint: CheckpointFormat) async throws(LogError) -> Int? {
    guard checkpoint.parts > 0 else { return nil }
    let bytes = ByteBuffer(bytes: rows)
    let size = (rows.count + checkpoint.parts - 1) / checkpoint.parts
    var first: Int?
    for index in 0..<checkpoint.parts {
      let start = index * size
      assert(start < rows.count, "Each part has rows.")
      let part = bytes.getSlice(at: start, length: min(size, rows.count - start)) ?? ByteBuffer()
      let subject = subject(index, of: checkpoint)
      let sequence = try await log.retrying(partition) { jetStream async throws(JetStreamError) in
        try await jetStream.store(part, to: subject, headers: [:])
      }
      first = first ?? sequence
    }
    return first
  }

  /// Removes the parts of a checkpoint that was refused.
  func remove(of checkpoint: CheckpointFormat) {
    if checkpoint.parts > 0 { purge(log.names.parts(partition, named: checkpoint.name) + ".*", before: .max) }
  }

  /// Removes all parts that were stored before a sequence: those of earlier checkpoints, and those of owners that have
  /// stopped while they wrote. Another owner that is writing parts now loses them, too: it names the revision of an
  /// earlier checkpoint, and JetStream refuses that as soon as this one is stored.
  func removeAll(before sequence: Int) {
    purge(log.names.parts(partition, named: "*") + ".*", before: sequence)
  }

  private func purge(_ subject: String, before sequence: Int) {
    let (jetStream, stream) = (log.jetStream, log.names.bucket)
    // What stays because of an error is removed after the next checkpoint.
    Task {
      do throws(JetStreamError) {
        try await jetStream.purge(stream, subject: subject, before: sequence)
      } catch {
        let metadata: Logger.Metadata = [
          "log": "\(log.name)", "partition": "\(partition)", "reason": "\(error.reason)",
        ]
        log.logger.warning("The parts of an earlier record could not be removed.", metadata: metadata)
      }
    }
  }

  private func subject(_ index: Int, of checkpoint: CheckpointFormat) -> String {
    "\(log.names.parts(partition, named: checkpoint.name)).\(index)"
  }

  func damaged(_ reason: String) -> LogError {
    .files(
      log: log.name,
      reason: .damaged(
        file: "the record \(log.names.checkpoint(partition))",
        offset: 0,
        event: nil,
        reason: "\(reason). Remove it with `nats kv del`, and all entries are folded again"
      )
    )
  }
}
