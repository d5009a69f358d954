import Foundation
import NIOCore
import RASPNATS
import ServerSupport
import Testing

@Suite(needsServer, needsCertificates)
struct Encryption {
  private func start(more: String = "") async throws -> NATSServer {
    try await NATSServer.start(configuration: Certificate.configuration + more) { folder in
      try Certificate.make(for: ["IP:127.0.0.1", "DNS:localhost"], in: folder)
    }
  }

  @Test(.enabled(if: hasIPv6, "this machine has no address ::1"))
  func aServerMayHaveAnAddressOfVersion6() async throws {
    let server = try await NATSServer.start(configuration: Certificate.configuration, host: "::1") { folder in
      try Certificate.make(for: ["IP:::1"], in: folder)
    }
    #expect(server.url == "nats://[::1]:\(server.port)")
    var options = NATSOptions()
    options.tls = NATSTLS(authorities: server.folder.appending(path: "server.pem").path)
    let client = try await NATSClient.connect(to: "tls://[::1]:\(server.port)", options: options)
    try await client.flush()
    await client.close()
    let plain = try await NATSServer.start(host: "::1")
    let other = try await NATSClient.connect(to: plain.url)
    try await other.flush()
    await other.close()
  }

  @Test func aHandshakeMayComeFirst() async throws {
    let server = try await NATSServer.start(
      configuration: #"tls { cert_file: "FOLDER/server.pem", key_file: "FOLDER/key.pem", handshake_first: true }"#
    ) { folder in try Certificate.make(for: ["DNS:localhost"], in: folder) }
    var options = NATSOptions()
    options.tls = NATSTLS(authorities: server.folder.appending(path: "server.pem").path)
    options.tls?.isFirst = true
    let client = try await NATSClient.connect(to: "tls://localhost:\(server.port)", options: options)
    try await client.flush()
    await client.close()
  }

  @Test func aServerMayAskForTheCertificateOfTheClient() async throws {
    let server = try await NATSServer.start(
      configuration: """
        tls { cert_file: "FOLDER/server.pem", key_file: "FOLDER/key.pem", ca_file: "FOLDER/server.pem", verify: true }
        """
    ) { folder in try Certificate.make(for: ["DNS:localhost"], in: folder) }
    func path(_ name: String) -> String { server.folder.appending(path: name).path }
    var options = NATSOptions()
    options.tls = NATSTLS(
      authorities: path("server.pem"),
      certificate: path("server.pem"),
      privateKey: path("key.pem")
    )
    let client = try await NATSClient.connect(to: "tls://localhost:\(server.port)", options: options)
    try await client.flush()
    await client.close()
    options.tls = NATSTLS(authorities: path("server.pem"))
    await #expect(throws: NATSError.self) {
      try await NATSClient.connect(to: "tls://localhost:\(server.port)", options: options)
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
