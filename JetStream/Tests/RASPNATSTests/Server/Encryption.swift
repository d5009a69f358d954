import Foundation
import NIOCore
import RASPNATS
import ServerSupport
import Testing

private let openssl = ["/usr/bin/openssl", "/usr/local/bin/openssl", "/opt/homebrew/bin/openssl"].first {
  FileManager.default.isExecutableFile(atPath: $0)
}

@Suite(needsServer, .enabled(if: openssl != nil, "there is no openssl to make a certificate with"))
struct Encryption {
  private func start() async throws -> NATSServer {
    try await NATSServer.start(
      configuration: #"tls { cert_file: "FOLDER/server.pem", key_file: "FOLDER/key.pem" }"#
    ) { folder in
      let process = Process()
      process.executableURL = URL(filePath: openssl ?? "")
      process.arguments = [
        "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=test",
        "-addext", "subjectAltName=IP:127.0.0.1,DNS:localhost", "-keyout", folder.appending(path: "key.pem").path,
        "-out", folder.appending(path: "server.pem").path,
      ]
      process.standardError = FileHandle.nullDevice
      try process.run()
      process.waitUntilExit()
    }
  }

  @Test func anEncryptedConnectionWorksForNumbersAndNames() async throws {
    let server = try await start()
    var options = NATSOptions()
    options.tls = NATSTLS(authorities: server.folder.appending(path: "server.pem").path)
    for host in ["127.0.0.1", "localhost"] {
      let client = try await NATSClient.connect(to: "tls://\(host):\(server.port)", options: options)
      let subscription = try await client.subscribe(to: "a")
      try await client.publish(ByteBuffer(repeating: 1, count: 100_000), to: "a")
      #expect(try await subscription.nextBatch()?.first?.payload.readableBytes == 100_000)
      await client.close()
    }
  }

  @Test func aServerThatCannotBeBelievedIsRefused() async throws {
    let server = try await start()
    for options in [
      NATSOptions(),
      {
        var options = NATSOptions(); options.tls = NATSTLS(); return options
      }(),
    ] {
      let error = await #expect(throws: NATSError.self) {
        try await NATSClient.connect(to: server.url, options: options)
      }
      guard case .tls = error else {
        Issue.record("It is an error of the encryption, not \(String(describing: error)).")
        return
      }
      #expect(error?.description.contains("`tls` of NATSOptions") == true)
    }
    var options = NATSOptions()
    options.tls = NATSTLS(authorities: "/nowhere.pem")
    await #expect(throws: NATSError.self) { try await NATSClient.connect(to: server.url, options: options) }
    options.tls = NATSTLS()
    options.tls?.verifiesServer = false
    let client = try await NATSClient.connect(to: server.url, options: options)
    await client.close()
  }
}
