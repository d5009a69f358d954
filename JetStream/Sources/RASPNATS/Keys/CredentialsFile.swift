#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What a `.creds` file has: two blocks between lines of hyphens.
///
/// ```
/// -----BEGIN NATS USER JWT-----
/// eyJ0eXAiOiJKV1QiLCJhbGciOiJlZDI1NTE5LW5rZXkifQ…
/// ------END NATS USER JWT------
///
/// -----BEGIN USER NKEY SEED-----
/// SUAC…
/// ------END USER NKEY SEED------
/// ```
struct CredentialsFile {
  /// The greatest number of bytes. Files have about one thousand.
  static let greatestSize = 1 << 20

  /// What an authority says of the user, signed by it.
  let jwt: String
  /// The key of the user.
  let key: UserKey

  init(path: String) throws(NATSError) {
    let bytes: Data
    do {
      bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    } catch {
      throw .invalidCredentials(file: path, reason: "it cannot be read")
    }
    guard bytes.count <= Self.greatestSize else {
      throw .invalidCredentials(file: path, reason: "it has more than \(Self.greatestSize) bytes")
    }
    try self.init(text: String(decoding: bytes, as: UTF8.self), path: path)
  }

  init(text: String, path: String) throws(NATSError) {
    guard let jwt = Self.block("NATS USER JWT", of: text) else {
      throw .invalidCredentials(file: path, reason: "it has no block \"NATS USER JWT\"")
    }
    guard let seed = Self.block("USER NKEY SEED", of: text) else {
      throw .invalidCredentials(file: path, reason: "it has no block \"USER NKEY SEED\"")
    }
    self.jwt = jwt
    key = try UserKey(seed: seed)
  }

  /// The line between the one that begins a block and the one that ends it.
  private static func block(_ name: String, of text: String) -> String? {
    let lines = text.split(whereSeparator: \.isNewline)
    guard let start = lines.firstIndex(where: { isLimit($0, "BEGIN \(name)") }),
      let end = lines[start...].firstIndex(where: { isLimit($0, "END \(name)") })
    else { return nil }
    let block = lines[(start + 1)..<end].map { $0.filter { !$0.isWhitespace } }.joined()
    return block.isEmpty ? nil : block
  }

  private static func isLimit(_ line: Substring, _ words: String) -> Bool {
    line.hasPrefix("---") && line.drop { $0 == "-" }.prefix { $0 != "-" } == words
  }
}
