/// One event of a stream of server-sent events, as a browser's `EventSource` reads it.
public struct ServerSentEvent: Sendable, Hashable {
  /// What the client gets. Each line becomes a line of the event. An event without data only sets the other fields.
  public var data: String?

  /// The type of the event; `nil` is `message`.
  public var event: String?

  /// What the client sends as `Last-Event-ID` when it connects again.
  public var id: String?

  /// The time after which the client connects again when the connection is lost.
  public var retry: Duration?

  /// Makes an event.
  ///
  /// - Complexity: O(1).
  public init(_ data: String? = nil, event: String? = nil, id: String? = nil, retry: Duration? = nil) {
    self.data = data
    self.event = event
    self.id = id
    self.retry = retry
  }

  /// The bytes that a server writes. Ends of line in ``event`` and ``id`` are left out, because they would end the
  /// field.
  ///
  /// - Complexity: O(characters).
  public var bytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity((data?.utf8.count ?? 0) + 16)
    if let event { Self.append("event", event.utf8.filter { !Self.isEnd($0) }[...], to: &bytes) }
    // The standard has clients ignore an identity with a NUL.
    if let id { Self.append("id", id.utf8.filter { !Self.isEnd($0) && $0 != 0 }[...], to: &bytes) }
    if let retry {
      Self.append("retry", Array("\(max(0, retry / .milliseconds(1)))".utf8.prefix { $0 != 46 })[...], to: &bytes)
    }
    if let data {
      for line in data.split(omittingEmptySubsequences: false, whereSeparator: \.isEndOfLine) {
        Self.append("data", Array(line.utf8)[...], to: &bytes)
      }
    }
    bytes.append(10)
    return bytes
  }

  /// A line that clients ignore, which keeps the connection open.
  static let heartbeat: [UInt8] = Array(":\n\n".utf8)

  private static func append(_ field: String, _ value: ArraySlice<UInt8>, to bytes: inout [UInt8]) {
    bytes.append(contentsOf: field.utf8)
    bytes.append(contentsOf: [58, 32])
    bytes.append(contentsOf: value)
    bytes.append(10)
  }

  private static func isEnd(_ byte: UInt8) -> Bool { byte == 10 || byte == 13 }
}

extension Character {
  /// The three ends of line of the standard. Others, such as U+2028, are data.
  fileprivate var isEndOfLine: Bool { self == "\n" || self == "\r" || self == "\r\n" }
}
