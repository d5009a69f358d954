import NIOCore
import RASPJournal
import RASPNATS

/// The parts of the rows of large records, in the same bucket. They are written before the record that names them, and
/// those of older records are removed after it.
struct RecordParts: Sendable {
  /// The bytes of rows that one message has.
  static let mostBytes = 512 << 10

  let log: LogConnection
  let partition: Int

  /// How many parts so many bytes need; 0 if they stand in the record.
  func count(of bytes: Int) -> Int {
    let most = min(Self.mostBytes, log.client.server.maxPayload / 2)
    return bytes <= most ? 0 : (bytes + most - 1) / most
  }

  // MARK: Reading

  /// The newest message of a subject of the bucket.
  func newest(of subject: String) async throws(LogError) -> JetStream.Stored? {
    try await log.retrying(partition) { () async throws(JetStreamError) in try await load(subject) }
  }

  /// The rows of a record; `nil` if a part is missing.
  func rows(of record: RecordFormat) async throws(LogError) -> [UInt8]? {
    if record.parts == 0 { return [UInt8](record.rows.readableBytesView) }
    var rows: [UInt8] = []
    rows.reserveCapacity(record.count)
    for index in 0..<record.parts {
      guard let part = try await newest(of: subject(index, of: record)), part.operation == nil else { return nil }
      rows.append(contentsOf: part.payload.readableBytesView)
    }
    guard rows.count == record.count else {
      throw damaged("its parts have \(rows.count) bytes, and should have \(record.count)")
    }
    return rows
  }

  /// The sequence of a record, if it is the present one.
  func sequence(of record: RecordFormat) async throws(JetStreamError) -> Int? {
    guard let stored = try await load(log.names.record(partition)), stored.operation == nil,
      let present = try? RecordFormat(stored.payload), present.identity == record.identity
    else { return nil }
    return stored.sequence
  }

  private func load(_ subject: String) async throws(JetStreamError) -> JetStream.Stored? {
    // Of several replicas only the leader knows for sure what is the newest.
    try await log.jetStream.newest(of: subject, in: log.names.records, isDirect: log.options.replicas == 1)
  }

  // MARK: Writing

  /// Writes the parts of rows.
  ///
  /// - Returns: the sequence of the first one; `nil` if there is none.
  func write(_ rows: [UInt8], of record: RecordFormat) async throws(LogError) -> Int? {
    guard record.parts > 0 else { return nil }
    let bytes = ByteBuffer(bytes: rows)
    let size = (rows.count + record.parts - 1) / record.parts
    var first: Int?
    for index in 0..<record.parts {
      let start = index * size
      let part = bytes.getSlice(at: start, length: min(size, rows.count - start)) ?? ByteBuffer()
      let subject = subject(index, of: record)
      let sequence = try await log.retrying(partition) { () async throws(JetStreamError) in
        try await log.jetStream.store(part, to: subject, headers: [:])
      }
      first = first ?? sequence
    }
    return first
  }

  /// Removes the parts of a record that was refused.
  func remove(of record: RecordFormat) {
    if record.parts > 0 { purge(log.names.parts(partition, named: record.name) + ".*", before: .max) }
  }

  /// Removes all parts that were stored before a sequence: those of records before, and those of owners that have
  /// stopped while they wrote. An owner that writes parts now has read a record before this one, and will
  /// be refused.
  func removeAll(before sequence: Int) {
    purge(log.names.parts(partition, named: "*") + ".*", before: sequence)
  }

  private func purge(_ subject: String, before sequence: Int) {
    let (jetStream, stream) = (log.jetStream, log.names.records)
    // What stays because of an error is removed after the next record.
    Task { try? await jetStream.purge(stream, subject: subject, before: sequence) }
  }

  private func subject(_ index: Int, of record: RecordFormat) -> String {
    "\(log.names.parts(partition, named: record.name)).\(index)"
  }

  func damaged(_ reason: String) -> LogError {
    .files(
      log: log.name,
      reason: .damaged(
        file: "the record \(log.names.record(partition))",
        offset: 0,
        event: nil,
        reason: "\(reason). Remove it with `nats kv del`, and all entries are folded again"
      )
    )
  }
}
