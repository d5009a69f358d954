import NIOCore

/// What a server says about itself when a client connects, and when something changes.
package struct NATSServerInfo: Sendable, Equatable {
  /// The address that was used, as in `nats://127.0.0.1:4222`.
  package internal(set) var url = ""
  /// Its name.
  package internal(set) var name = ""
  /// Its version, as in "2.15.1".
  package internal(set) var version = ""
  /// The greatest number of bytes of one message, headers included.
  package internal(set) var maxPayload = 1_048_576
  /// Whether it takes headers.
  package internal(set) var headers = false
  /// Whether it speaks only TLS.
  package internal(set) var tlsRequired = false
  /// Whether it is about to stop and asks its clients to go to another server.
  package internal(set) var isLameDuck = false
  /// Other servers of its cluster, as host and port.
  package internal(set) var otherServers: [String] = []
  /// What a client with a key signs.
  var nonce: String?

  /// The greatest number of other servers that is believed. Each of a cluster names all its addresses.
  static let greatestOtherServers = 1024

  init() {}
}

extension NATSServerInfo: Decodable {
  private enum CodingKeys: String, CodingKey {
    case name = "server_name"
    case version
    case maxPayload = "max_payload"
    case headers
    case tlsRequired = "tls_required"
    case isLameDuck = "ldm"
    case otherServers = "connect_urls"
    case nonce
  }

  /// Reads what a server says. What is missing has the value that servers leave out.
  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    name = try container.decodeIfPresent(String.self, forKey: .name) ?? ""
    version = try container.decodeIfPresent(String.self, forKey: .version) ?? ""
    maxPayload = try container.decodeIfPresent(Int.self, forKey: .maxPayload) ?? 1_048_576
    headers = try container.decodeIfPresent(Bool.self, forKey: .headers) ?? false
    tlsRequired = try container.decodeIfPresent(Bool.self, forKey: .tlsRequired) ?? false
    isLameDuck = try container.decodeIfPresent(Bool.self, forKey: .isLameDuck) ?? false
    otherServers = try container.decodeIfPresent([String].self, forKey: .otherServers) ?? []
    nonce = try container.decodeIfPresent(String.self, forKey: .nonce)
  }

  init(json: ByteBuffer, url: String) throws(ProtocolViolation) {
    do {
      self = try JSON.decode(from: json)
    } catch {
      throw ProtocolViolation(reason: "what the server says about itself cannot be read: \(error)")
    }
    self.url = url
    guard maxPayload > 0 else { throw ProtocolViolation(reason: "its `max_payload` is \(maxPayload)") }
    guard otherServers.count <= Self.greatestOtherServers else {
      let count = otherServers.count
      throw ProtocolViolation(reason: "it names \(count) other servers, and more than \(Self.greatestOtherServers)")
    }
  }
}
