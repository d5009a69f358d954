import Foundation
import RASPJetStream

/// The JSON of a value in one line, with its names in their order.
func jsonText(_ value: some Encodable) -> String {
  let encoder = JSONEncoder()
  encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
  // Numbers and texts always have JSON.
  return String(decoding: (try? encoder.encode(value)) ?? Data(), as: UTF8.self)
}

/// What is written of a log.
struct LogLine: Encodable {
  let log: String
  let partitions: Int
  let leaseSeconds: Double
  let deletion: String

  init(_ log: StoredLog) {
    self.log = log.name
    partitions = log.partitions
    leaseSeconds = log.lease / .seconds(1)
    deletion = log.deletion.rawValue
  }

  func text(_ json: Bool) -> String {
    json ? jsonText(self) : "\(log): \(partitions) partitions, a lease of \(leaseSeconds) s, deletion \(deletion)"
  }
}

/// What is written of a partition.
struct PartitionLine: Encodable {
  let log: String
  let partition: Int
  let first: Int
  let newest: Int
  let entries: Int
  let bytes: Int
  let replicas: Int
  let record: Int?
  let recordBytes: Int?
  let owner: String?
  let address: String?

  init(_ partition: StoredPartition, of log: String) {
    self.log = log
    self.partition = partition.number
    (first, newest, entries) = (partition.first, partition.newest, partition.entries)
    (bytes, replicas) = (partition.bytes, partition.replicas)
    (record, recordBytes) = (partition.record?.offset, partition.record?.bytes)
    (owner, address) = (partition.owner?.member, partition.owner?.address)
  }

  func text(_ json: Bool) -> String {
    if json { return jsonText(self) }
    let range = entries > 0 ? ", from \(first) to \(newest), \(bytes) bytes" : ""
    let kept = record.map { $0 > 0 ? "record at \($0) with \(recordBytes ?? 0) bytes" : "no record" }
    return "\(log)/\(partition): \(entries) entries\(range); \(kept ?? "a record that cannot be read"); "
      + "\(owner.map { "owner \($0)" } ?? "no owner")\(address.map { " at \($0)" } ?? "")"
  }
}

/// What is written of something that is wrong.
struct ProblemLine: Encodable {
  let log: String
  let partition: Int?
  let problem: String

  init(_ problem: StoredProblem, of log: String) {
    self.log = log
    partition = problem.partition
    self.problem = problem.reason
  }

  func text(_ json: Bool) -> String {
    json ? jsonText(self) : "\(log)\(partition.map { "/\($0)" } ?? ""): \(problem)"
  }
}

/// What is written of an entry. A value in JSON stands there as it is, and other bytes in base 64.
struct EntryLine {
  let json: String

  init(_ entry: StoredEntry) {
    var members = ["\"partition\":\(entry.partition),\"offset\":\(entry.offset),\"time\":\(jsonText(entry.time))"]
    members.append("\"subject\":\(jsonText(entry.subject))")
    if let type = entry.type { members.append("\"type\":\(jsonText(type.name)),\"version\":\(type.version)") }
    let others = entry.headers.fields.filter { $0.name != "RASP-Type" }
    if !others.isEmpty {
      members.append("\"headers\":\(jsonText(Dictionary(others.map { ($0.name, $0.value) }) { first, _ in first }))")
    }
    let data = Data(entry.payload.readableBytesView)
    let isJSON = (try? JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed)) != nil
    if isJSON, let text = String(validating: data, as: UTF8.self), !text.contains(where: \.isNewline) {
      members.append("\"value\":\(text)")
    } else {
      members.append("\"base64\":\"\(data.base64EncodedString())\"")
    }
    json = "{\(members.joined(separator: ","))}"
  }
}
