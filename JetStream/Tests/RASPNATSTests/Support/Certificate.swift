import Foundation
import Testing

/// The suites that need certificates.
let needsCertificates = ConditionTrait.enabled(
  if: Certificate.openssl != nil,
  "there is no openssl to make a certificate with"
)

/// A certificate of a server, which is its own authority.
enum Certificate {
  static let openssl = ["/usr/bin/openssl", "/usr/local/bin/openssl", "/opt/homebrew/bin/openssl"].first {
    FileManager.default.isExecutableFile(atPath: $0)
  }

  /// The line of a server whose folder has the certificate.
  static let configuration = #"tls { cert_file: "FOLDER/server.pem", key_file: "FOLDER/key.pem" }"# + "\n"

  /// Makes `server.pem` and `key.pem`.
  ///
  /// - Parameter names: as in `IP:127.0.0.1` and `DNS:localhost`.
  static func make(for names: [String], in folder: URL) throws {
    let process = Process()
    process.executableURL = URL(filePath: openssl ?? "")
    process.arguments = [
      "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=\(UUID().uuidString)",
      "-addext", "subjectAltName=\(names.joined(separator: ","))",
      "-keyout", folder.appending(path: "key.pem").path, "-out", folder.appending(path: "server.pem").path,
    ]
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
  }
}
