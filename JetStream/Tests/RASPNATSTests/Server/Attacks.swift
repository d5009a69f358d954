import Foundation
import NIOCore
import NIOPosix
import RASPNATS
import ServerSupport
import Streams
import Testing

/// What somebody on the way between a client and its server can do who has no certificate for the name of the server.
@Suite(needsServer, needsCertificates, .timeLimit(.minutes(10)))
struct Attacks {
  private func start(for names: [String], _ more: String = "") async throws -> NATSServer {
    let users = #"authorization { user: "me", password: "secret" }"# + "\n"
    return try await NATSServer.start(configuration: Certificate.configuration + users + more) { folder in
      try Certificate.make(for: names, in: folder)
    }
  }

  private func options(believing servers: NATSServer...) throws -> NATSOptions {
    var options = NATSOptions()
    let certificates = try servers.map {
      try String(contentsOf: $0.folder.appending(path: "server.pem"), encoding: .utf8)
    }
    let file = servers[0].folder.appending(path: "authorities.pem")
    try certificates.joined().write(to: file, atomically: true, encoding: .utf8)
    options.tls = NATSTLS(authorities: file.path)
    options.credentials = .user("me", password: "secret")
    options.reconnection = NATSBackoff(first: .milliseconds(10), greatest: .milliseconds(100))
    return options
  }

  @Test(arguments: ["PONG\r\n", "PONG\r\nPONG\r\nMSG orders 2 6\r\nFORGED\r\n", "+OK\r\n", "P"])
  func aServerThatNeverShakesHandsIsNoServer(more: String) async throws {
    try await SilentServer.withPort(saying: "INFO {\"headers\":true}\r\n" + more) { port in
      let error = await #expect(throws: NATSError.self) {
        try await NATSClient.connect(to: "tls://localhost:\(port)")
      }
      guard case .protocolViolation = error else {
        Issue.record("It has broken the protocol, not \(String(describing: error)).")
        return
      }
    }
  }

  @Test func aServerThatIsSilentInsteadOfShakingHandsHasATimeLimit() async throws {
    try await SilentServer.withPort(saying: "INFO {}\r\n") { port in
      var options = NATSOptions()
      options.connectTimeLimit = .milliseconds(100)
      await #expect(throws: NATSError.self) {
        try await NATSClient.connect(to: "tls://localhost:\(port)", options: options)
      }
    }
  }

  @Test func bytesThatSomebodyAddsAreNotBelieved() async throws {
    let server = try await start(for: ["DNS:localhost"])
    let middleman = try await Middleman(to: server.port)
    let options = try options(believing: server)
    let client = try await NATSClient.connect(to: "tls://localhost:\(middleman.port)", options: options)
    let orders = try await client.subscribe(to: "orders")
    var statuses = client.status.values(buffering: .unbounded).makeAsyncIterator()
    let forged = "PONG\r\nPONG\r\nMSG orders 2 6\r\nFORGED\r\n"
    middleman.change { $0 + forged }
    middleman.cut()
    var isRefused = false
    while !isRefused, let status = await statuses.next() {
      if case .disconnected(.protocolViolation) = status { isRefused = true }
    }
    middleman.change(nil)
    await client.waitUntilConnected(to: "tls://localhost:\(middleman.port)")
    try await client.publish(ByteBuffer(string: "honest"), to: "orders")
    #expect(try await orders.nextBatch()?.map { String(buffer: $0.payload) } == ["honest"])
    await client.close()
  }

  @Test func anAddressThatSomebodyAddsIsNotUsed() async throws {
    let server = try await start(for: ["DNS:localhost"])
    let attacker = try await start(for: ["IP:127.0.0.1"])
    let middleman = try await Middleman(to: server.port)
    let port = attacker.port
    middleman.change { $0.replacing("INFO {", with: #"INFO {"connect_urls":["127.0.0.1:\#(port)"],"#) }
    let options = try options(believing: server, attacker)
    let client = try await NATSClient.connect(to: "tls://localhost:\(middleman.port)", options: options)
    #expect(client.server.otherServers == [])
    server.kill()
    middleman.cut()
    var failures = 0
    for await status in client.status.values(buffering: .unbounded) {
      switch status {
      case .connected(let server): #expect(server.url == "tls://localhost:\(middleman.port)")
      case .disconnected(let error):
        #expect(!error.description.contains(":\(port)"))
        failures += 1
      case .closed: break
      }
      if failures > 4 { break }
    }
    await client.close()
  }

  /// Two servers of a cluster, of which the client is told the address of the first one only.
  private func withCluster(
    second names: [String],
    _ body: (NATSClient, NATSServer, NATSServer) async throws -> Void
  ) async throws {
    let ports = (try await freePort(), try await freePort())
    func cluster(_ own: Int, _ other: Int) -> String {
      #"cluster { name: c, listen: "127.0.0.1:\#(own)", routes: ["nats://127.0.0.1:\#(other)"] }"#
    }
    let first = try await start(for: ["DNS:localhost"], cluster(ports.0, ports.1))
    let second = try await start(for: names, cluster(ports.1, ports.0))
    let options = try options(believing: first, second)
    let client = try await NATSClient.connect(to: "tls://localhost:\(first.port)", options: options)
    // The cluster tells when the second one is there.
    while !client.server.otherServers.contains(where: { $0.hasSuffix(":\(second.port)") }) { try await client.flush() }
    #expect(client.server.otherServers.contains("127.0.0.1:\(second.port)"))
    try await body(client, first, second)
    await client.close()
  }

  @Test func aServerThatIsAdvertisedByNumberIsUsedIfItHasTheNameOfTheFirst() async throws {
    try await withCluster(second: ["DNS:localhost"]) { client, first, second in
      let subscription = try await client.subscribe(to: "a")
      first.kill()
      await client.waitUntilConnected(to: "tls://127.0.0.1:\(second.port)")
      try await client.publish(ByteBuffer(string: "x"), to: "a")
      #expect(try await subscription.nextBatch()?.count == 1)
    }
  }

  @Test func aServerThatIsAdvertisedGetsNoCredentialsIfItHasAnotherName() async throws {
    try await withCluster(second: ["IP:127.0.0.1", "DNS:other"]) { client, first, second in
      first.kill()
      var failures = 0
      for await status in client.status.values(buffering: .unbounded) {
        switch status {
        case .connected(let server): #expect(!server.url.hasSuffix(":\(second.port)"))
        case .disconnected(let error):
          if error.description.contains(":\(second.port)") {
            guard case .tls = error else {
              Issue.record("Its certificate is refused, not \(error).")
              return
            }
            failures += 1
          }
        case .closed: break
        }
        if failures > 1 { break }
      }
    }
  }

  private func freePort() async throws -> Int {
    let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .bind(host: "127.0.0.1", port: 0).get()
    defer { channel.close(promise: nil) }
    return channel.localAddress?.port ?? 0
  }
}
