import NIOCore
import RASPJournal
import RASPLogs
import RASPNATS

extension StoredLog {
  package func list(_ write: (StoredLine) -> Void) async throws(LogError) {
    let seconds = lease / .seconds(1)
    write(
      StoredLine(
        "\(name): \(partitions) partitions, a lease of \(seconds) s, deletion \(deletion.rawValue)",
        ["deletion": deletion.rawValue, "leaseSeconds": seconds, "log": name, "partitions": partitions]
      )
    )
    let owners = try await owners()
    for number in 0..<partitions {
      // One whose stream is gone is told by `verify`.
      guard let stream = try await stream(number) else { continue }
      write(StoredLine(number, of: name, stream, try await record(of: number), owners[number]))
    }
  }

  /// The record of a partition; `nil` if it cannot be read, which ``verify(_:)`` explains.
  private func record(of partition: Int) async throws(LogError) -> LogRecord? {
    do throws(LogError) {
      return try await CheckpointStore(connection, partition).read()
    } catch {
      if error.isTemporary { throw error }
      return nil
    }
  }

  /// The stream of a partition; `nil` if it is gone.
  func stream(_ partition: Int) async throws(LogError) -> StreamInformation? {
    let name = connection.names.stream(partition)
    return try await connection.retrying(partition) { jetStream async throws(JetStreamError) in
      try await jetStream.streams([name])[0]
    }
  }

  /// The member of each partition, as all of them divide the partitions.
  private func owners() async throws(LogError) -> LogOwners {
    let names = connection.names
    let leases = try await connection.retrying(nil) { jetStream async throws(JetStreamError) in
      var leases: [JetStream.Stored] = []
      for subject in try await jetStream.subjects(names.allMembers, in: names.members) {
        let lease = try await jetStream.newest(of: subject, in: names.members)
        if let lease, subject == names.member(String(buffer: lease.payload)) { leases.append(lease) }
      }
      return leases
    }
    let members = leases.map { LogOwner(String(buffer: $0.payload), at: MemberAddress($0.headers).address) }
    return LogOwners(dividing: partitions, among: members)
  }
}

extension StoredLine {
  /// - Parameters:
  ///   - record: `nil` if it cannot be read.
  ///   - owner: the member to which the partition is assigned; `nil` if there is none.
  fileprivate init(
    _ partition: Int,
    of log: String,
    _ stream: StreamInformation,
    _ record: LogRecord?,
    _ owner: LogOwner?
  ) {
    let (state, count, bytes) = (stream.state, stream.state.messages ?? 0, stream.state.bytes ?? 0)
    let range = count > 0 ? ", from \(state.first) to \(state.last), \(bytes) bytes" : ""
    let kept = record.map { $0.offset > 0 ? "record at \($0.offset) with \($0.rows.count) bytes" : "no record" }
    self.init(
      "\(log)/\(partition): \(count) entries\(range); \(kept ?? "a record that cannot be read"); "
        + "\(owner.map { "owner \($0.member)" } ?? "no owner")\(owner?.address.map { " at \($0)" } ?? "")",
      [
        "address": owner?.address, "bytes": bytes, "entries": count, "first": state.first, "log": log,
        "newest": state.last, "owner": owner?.member, "partition": partition, "record": record?.offset,
        "recordBytes": record?.rows.count, "replicas": stream.config.replicas,
      ]
    )
  }
}
