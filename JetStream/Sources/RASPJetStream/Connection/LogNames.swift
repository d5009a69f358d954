/// The names that a log has in JetStream.
///
/// ```
/// stream readings-3            partition 3, with the subjects readings.3 and readings.3.>
/// stream KV_readings           a bucket: the key "log", and the checkpoint of each partition
/// stream KV_readings-members   a bucket: who is there
/// ```
struct LogNames: Sendable {
  let log: String

  /// - Returns: `nil` if the name cannot be part of a subject and of the name of a stream.
  init?(_ log: String) {
    let isValid = log.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"): true
      default: false
      }
    }
    guard isValid, !log.isEmpty, log.utf8.count <= 128 else { return nil }
    self.log = log
  }

  func stream(_ partition: Int) -> String { "\(log)-\(partition)" }

  /// What this log publishes to.
  func subject(_ partition: Int) -> String { "\(log).\(partition)" }

  /// What others may publish to.
  func subjects(_ partition: Int) -> [String] { [subject(partition), "\(log).\(partition).>"] }

  var bucket: String { "KV_\(log)" }
  var description: String { "$KV.\(log).log" }
  func checkpoint(_ partition: Int) -> String { "$KV.\(log).\(partition)" }

  /// The parts of a large checkpoint, which have another `name` each time.
  func parts(_ partition: Int, named name: String) -> String { "\(checkpoint(partition)).parts.\(name)" }

  var members: String { "KV_\(log)-members" }
  var allMembers: String { "$KV.\(log)-members.>" }

  /// The subject of a member, whose name may have any characters.
  func member(_ name: String) -> String {
    let key = LogNames(name) == nil ? "." + name.utf8.map { String($0, radix: 16) }.joined(separator: "-") : name
    return "$KV.\(log)-members.\(key.hasPrefix(".") ? "encoded\(key)" : key)"
  }
}
