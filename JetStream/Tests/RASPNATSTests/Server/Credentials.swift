import NIOCore
import RASPNATS
import ServerSupport
import Testing

@Suite(needsServer)
struct Credentials {
  private func expectAccess(
    _ configuration: String,
    right: NATSCredentials,
    wrong: NATSCredentials,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let server = try await NATSServer.start(configuration: configuration)
    var options = NATSOptions()
    options.credentials = right
    let client = try await NATSClient.connect(to: server.url, options: options)
    try await client.flush()
    await client.close()
    for credentials in [wrong, .none] {
      options.credentials = credentials
      let error = await #expect(throws: NATSError.self, sourceLocation: sourceLocation) {
        try await NATSClient.connect(to: server.url, options: options)
      }
      #expect(error?.description.contains("`credentials` of NATSOptions") == true, sourceLocation: sourceLocation)
      #expect(error?.description.contains(server.url) == true, sourceLocation: sourceLocation)
    }
  }

  @Test func aUserHasAPassword() async throws {
    try await expectAccess(
      #"authorization { user: "me", password: "se cret" }"#,
      right: .user("me", password: "se cret"),
      wrong: .user("me", password: "secret")
    )
  }

  @Test func aUserMayStandInTheAddress() async throws {
    let server = try await NATSServer.start(configuration: #"authorization { user: "me", password: "se cret" }"#)
    let client = try await NATSClient.connect(to: "nats://me:se%20cret@127.0.0.1:\(server.port)")
    try await client.flush()
    #expect(!client.server.url.contains("cret"))
    await client.close()
  }

  @Test func aTokenIsEnough() async throws {
    try await expectAccess(#"authorization { token: "t0ken" }"#, right: .token("t0ken"), wrong: .token("t1ken"))
  }

  @Test func aKeySignsWhatTheServerAsks() async throws {
    try await expectAccess(
      #"authorization { users: [{ nkey: "\#(UserKeys.publicKey)" }] }"#,
      right: .key(seed: UserKeys.seed),
      wrong: .user("me", password: "")
    )
  }

  @Test func whatIsNotPermittedIsSaid() async throws {
    let server = try await NATSServer.start(
      configuration: """
        authorization { users: [{ user: u, password: p, permissions: {
          publish: { deny: ["secret.>"] }, subscribe: { deny: ["secret.>"] } } }] }
        """
    )
    var options = NATSOptions()
    options.credentials = .user("u", password: "p")
    let client = try await NATSClient.connect(to: server.url, options: options)
    let error = await #expect(throws: NATSError.self) {
      try await client.request(ByteBuffer(), to: "secret.a")
    }
    #expect(error?.description.contains("permissions") == true)
    let subscription = try await client.subscribe(to: "secret.b")
    let end = await #expect(throws: NATSError.self) { try await subscription.nextBatch() }
    guard case .notPermitted = end else {
      Issue.record("It ends because it is not permitted, not by \(String(describing: end)).")
      return
    }
    await client.close()
  }
}
