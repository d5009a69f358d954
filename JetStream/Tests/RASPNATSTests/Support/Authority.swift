import Crypto
import Foundation

@testable import RASPNATS

/// An operator with an account and a user, whose JWTs it signs, as `nsc` makes them.
struct Authority {
  /// What a key is for: the letter with which its text begins.
  private enum Role: UInt8 {
    case account = 0
    case `operator` = 112
    case user = 160
  }

  private struct Key {
    let key = Curve25519.Signing.PrivateKey()
    let role: Role

    var text: String { Authority.text([role.rawValue] + Array(key.publicKey.rawRepresentation)) }

    var seed: String {
      Authority.text([144 | role.rawValue >> 5, role.rawValue << 3] + Array(key.rawRepresentation))
    }

    func sign(_ claims: String, for other: Key, type: String, named name: String) throws -> String {
      let body = """
        {"jti":"1","iat":1700000000,"iss":"\(text)","name":"\(name)","sub":"\(other.text)","nats":{\(claims)"type":"\(type)",\
        "version":2}}
        """
      let signed = [#"{"typ":"JWT","alg":"ed25519-nkey"}"#, body].map { Authority.base64(Data($0.utf8)) }.joined(
        separator: "."
      )
      return try "\(signed).\(Authority.base64(key.signature(for: Data(signed.utf8))))"
    }
  }

  /// The lines of a server that believes the operator.
  let configuration: String
  /// The file of the user.
  let credentials: String
  /// The file of a user whom the account does not know: its key is another one than that in its JWT.
  let wrongCredentials: String

  init() throws {
    let (authority, account, system) = (Key(role: .operator), Key(role: .account), Key(role: .account))
    let (user, other) = (Key(role: .user), Key(role: .user))
    let limits =
      #""limits":{"subs":-1,"data":-1,"payload":-1,"imports":-1,"exports":-1,"wildcards":true,"conn":-1,"leaf":-1},"#
    let accounts = try [(account, "A"), (system, "SYS")].map { key, name in
      "  \(key.text): \(try authority.sign(limits, for: key, type: "account", named: name))"
    }
    configuration = """
      operator: \(try authority.sign("", for: authority, type: "operator", named: "O"))
      system_account: \(system.text)
      resolver: MEMORY
      resolver_preload: {
      \(accounts.joined(separator: "\n"))
      }

      """
    let claims = #""pub":{},"sub":{},"subs":-1,"data":-1,"payload":-1,"#
    let jwt = try account.sign(claims, for: user, type: "user", named: "U")
    credentials = Self.file(jwt, user.seed)
    wrongCredentials = Self.file(jwt, other.seed)
  }

  private static func file(_ jwt: String, _ seed: String) -> String {
    """
    -----BEGIN NATS USER JWT-----
    \(jwt)
    ------END NATS USER JWT------

    ************************* IMPORTANT *************************
    NKEY Seed printed below can be used to sign and prove identity.

    -----BEGIN USER NKEY SEED-----
    \(seed)
    ------END USER NKEY SEED------

    """
  }

  private static func text(_ bytes: [UInt8]) -> String {
    let checksum = CRC16.checksum(bytes)
    return Base32.encode(bytes + [UInt8(truncatingIfNeeded: checksum), UInt8(truncatingIfNeeded: checksum >> 8)])
  }

  private static func base64(_ bytes: Data) -> String {
    bytes.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
  }
}
