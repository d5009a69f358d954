import NIOCore
import RASPLogs
import RASPNATS

/// What is known of a partition.
package struct StoredPartition: Sendable {
  /// Its number.
  package let number: Int
  /// The offsets of the oldest and the newest entry; the newest one may have been deleted.
  package let first: Int
  package let newest: Int
  /// How many entries there are, and their bytes.
  package let entries: Int
  package let bytes: Int
  /// How many servers have it.
  package let replicas: Int
  /// The offset of its record, and the bytes of its rows; `nil` if the record cannot be read.
  package let record: (offset: Int, bytes: Int)?
  /// The member to which it is assigned; `nil` if there is none.
  package let owner: LogOwner?
}

extension StoredLog {
  /// All partitions whose streams are there.
  package func storedPartitions() async throws(LogError) -> [StoredPartition] {
    let owners = try await owners()
    var partitions: [StoredPartition] = []
    for number in 0..<self.partitions {
      guard let stream = try await stream(number) else { continue }
      let record = try await record(of: number)
      partitions.append(
        StoredPartition(
          number: number,
          first: stream.state.first,
          newest: stream.state.last,
          entries: stream.state.messages ?? 0,
          bytes: stream.state.bytes ?? 0,
          replicas: stream.config.replicas,
          record: record.map { ($0.offset, $0.rows.count) },
          owner: owners[number]
        )
      )
    }
    return partitions
  }

  /// The record of a partition; `nil` if it cannot be read, which ``verify()`` explains.
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
