/// The names that a log has in JetStream.
///
/// ```
/// stream readings-3            partition 3, with the subjects readings.3 and readings.3.>
/// stream KV_readings           a bucket: the key "log", and the checkpoint of each partition
/// stream KV_readings-members   a bucket: who is there
/// ```
struct LogNames: Sendable {
  let log: String

  /// Why a text is no name of a log.
  struct Invalid: Error {
    var reason: String
  }

  init(_ log: String) throws(Invalid) {
    guard Self.isWord(log) else {
      throw Invalid(reason: "the name of a log has letters, digits, hyphens and underscores, and at most 128 of them.")
    }
    // The stream `KV_a-0` would be partition 0 of the log `KV_a`, and the bucket of the log `a-0`; and the bucket of
    // the log `x-members` that of the members of `x`.
    if log.hasPrefix(Self.bucketPrefix) || log.hasSuffix(Self.membersSuffix) {
      throw Invalid(
        reason: """
          the name of a log does not begin with \(Self.bucketPrefix) and does not end with \(Self.membersSuffix): the \
          streams of other logs have such names.
          """
      )
    }
    self.log = log
  }

  private static let bucketPrefix = "KV_"
  private static let membersSuffix = "-members"

  /// The names of the logs that may have such streams: those of their buckets tell them.
  static func logs(in streams: [String]) -> [String] {
    streams.filter { $0.hasPrefix(bucketPrefix) }.map { String($0.dropFirst(bucketPrefix.count)) }
      .filter { (try? LogNames($0)) != nil }.sorted()
  }

  /// Whether a text can be part of a subject and of the name of a stream.
  private static func isWord(_ text: String) -> Bool {
    let isValid = text.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"): true
      default: false
      }
    }
    return isValid && !text.isEmpty && text.utf8.count <= 128
  }

  func stream(_ partition: Int) -> String { "\(log)-\(partition)" }

  /// What this log publishes to.
  func subject(_ partition: Int) -> String { "\(log).\(partition)" }

  /// What others may publish to.
  func subjects(_ partition: Int) -> [String] { [subject(partition), "\(log).\(partition).>"] }

  var bucket: String { "\(Self.bucketPrefix)\(log)" }
  var description: String { "$KV.\(log).log" }
  func checkpoint(_ partition: Int) -> String { "$KV.\(log).\(partition)" }

  /// The parts of a large checkpoint, which have another `name` each time.
  func parts(_ partition: Int, named name: String) -> String { "\(checkpoint(partition)).parts.\(name)" }

  var members: String { "\(Self.bucketPrefix)\(log)\(Self.membersSuffix)" }
  var allMembers: String { "$KV.\(log)-members.>" }

  /// The subject of a member, whose name may have any characters.
  func member(_ name: String) -> String {
    let key = !Self.isWord(name) ? "." + name.utf8.map { String($0, radix: 16) }.joined(separator: "-") : name
    return "$KV.\(log)-members.\(key.hasPrefix(".") ? "encoded\(key)" : key)"
  }
}
