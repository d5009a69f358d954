import Crypto

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The key of a user, with which a client answers the question of a server.
///
/// A seed is a text of base 32: two bytes that say what it is (`S` for a seed, `U` for a user), 32 bytes, and a
/// checksum.
struct UserKey {
  private static let seedPrefix: UInt8 = 18 << 3
  private static let userPrefix: UInt8 = 20 << 3

  private let key: Curve25519.Signing.PrivateKey

  /// Reads a seed. No part of it stands in the error.
  init(seed: String) throws(NATSError) {
    guard let bytes = Base32.decode(seed.utf8), bytes.count == 36 else {
      throw .invalidSeed(reason: "it is not 58 characters of base 32")
    }
    guard CRC16.checksum(bytes[..<34]) == UInt16(bytes[34]) | UInt16(bytes[35]) << 8 else {
      throw .invalidSeed(reason: "its checksum is wrong, so a character is wrong or missing")
    }
    guard bytes[0] & 0xF8 == Self.seedPrefix else {
      throw .invalidSeed(reason: "it is a public key, or another thing than a seed")
    }
    guard bytes[0] << 5 | bytes[1] >> 3 == Self.userPrefix else {
      throw .invalidSeed(reason: "it is the seed of an account, a server or an operator, not of a user")
    }
    guard let key = try? Curve25519.Signing.PrivateKey(rawRepresentation: bytes[2..<34]) else {
      throw .invalidSeed(reason: "its bytes are no key")
    }
    self.key = key
  }

  /// What the server knows of the key, a text that begins with U.
  var publicKey: String {
    let bytes = [Self.userPrefix] + Array(key.publicKey.rawRepresentation)
    let checksum = CRC16.checksum(bytes)
    return Base32.encode(bytes + [UInt8(truncatingIfNeeded: checksum), UInt8(truncatingIfNeeded: checksum >> 8)])
  }

  /// The answer to a question of a server, as it is sent.
  func signature(of nonce: String) throws(NATSError) -> String {
    guard let signature = try? key.signature(for: Data(nonce.utf8)) else {
      throw .invalidSeed(reason: "nothing can be signed with it")
    }
    let text = signature.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
    return text.replacing("=", with: "")
  }
}
