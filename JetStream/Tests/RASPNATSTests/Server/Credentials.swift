import Foundation
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

  @Test func aFileHasWhatAnAuthoritySaysAndAKey() async throws {
    let authority = try Authority()
    let server = try await NATSServer.start(configuration: authority.configuration)
    let file = server.folder.appending(path: "user.creds")
    try authority.credentials.write(to: file, atomically: true, encoding: .utf8)
    var options = NATSOptions()
    options.credentials = .file(file.path)
    let client = try await NATSClient.connect(to: server.url, options: options)
    let subscription = try await client.subscribe(to: "a")
    try await client.publish(ByteBuffer(string: "x"), to: "a")
    #expect(try await subscription.nextBatch()?.count == 1)
    await client.close()
    try authority.wrongCredentials.write(to: file, atomically: true, encoding: .utf8)
    for credentials in [.file(file.path), .none, .key(seed: UserKeys.seed)] as [NATSCredentials] {
      options.credentials = credentials
      let error = await #expect(throws: NATSError.self) {
        try await NATSClient.connect(to: server.url, options: options)
      }
      guard case .unauthorized = error else {
        Issue.record("It is refused, not \(String(describing: error)).")
        return
      }
    }
  }

  @Test(arguments: ["", "x", "-----BEGIN NATS USER JWT-----\nx\n------END NATS USER JWT------\n", "no file"])
  func aFileThatHasNoneIsNamed(text: String) async throws {
    let server = try await NATSServer.start()
    let file = server.folder.appending(path: "user.creds")
    if text != "no file" { try text.write(to: file, atomically: true, encoding: .utf8) }
    var options = NATSOptions()
    options.credentials = .file(file.path)
    let error = await #expect(throws: NATSError.self) {
      try await NATSClient.connect(to: server.url, options: options)
    }
    guard case .invalidCredentials(file.path, _) = error else {
      Issue.record("The file is named, not \(String(describing: error)).")
      return
    }
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
