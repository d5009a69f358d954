import NIOCore
import RASPJournal
import RASPNATS

/// How the type and version of an entry stand beside it: in a header, unless it is the first version of the only type.
///
/// So an entry that something else has published, such as a sensor, is of the first version.
struct EntryTypes: Sendable {
  static let header = "RASP-Type"

  /// The type of an entry without the header.
  let plain: TypeVersion

  init<Entry>(of coding: Coding<Entry>) {
    plain = TypeVersion(name: coding.kinds.first?.name ?? "", version: 1)
  }

  /// The text of the header; `nil` if it is not needed.
  func text(for type: TypeVersion) -> String? { type == plain ? nil : "\(type.version) \(type.name)" }

  /// The type of an entry that has come.
  func type(of message: NATSMessage) -> TypeVersion {
    guard message.hasHeaders, let text = message.headers[Self.header] else { return plain }
    let parts = text.split(separator: " ", maxSplits: 1)
    guard parts.count == 2, let version = Int(parts[0]) else { return TypeVersion(name: text, version: 0) }
    return TypeVersion(name: String(parts[1]), version: version)
  }
}
