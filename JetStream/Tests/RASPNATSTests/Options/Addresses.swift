import Testing

@testable import RASPNATS

struct Addresses {
  @Test func anAddressHasPartsThatMayBeMissing() throws {
    let address = try ServerAddress("tls://me:p%40ss@nats.example.org:5222/")
    #expect(address.host == "nats.example.org")
    #expect(address.port == 5222)
    #expect(address.usesTLS)
    #expect(address.user == "me")
    #expect(address.password == "p@ss")
    #expect(address.description == "tls://nats.example.org:5222")
    #expect(try ServerAddress("localhost").description == "nats://localhost:4222")
    #expect(try ServerAddress("[::1]:5").host == "::1")
    #expect(try ServerAddress("nats://[::1]").description == "nats://[::1]:4222")
  }

  @Test(arguments: ["", "nats://", "http://a", "a:b", "a:0", "a:70000", "a:1:2", "[::1", "[::1]x", "a b", "a/b"])
  func whatIsNoAddressIsRefused(text: String) {
    #expect(throws: NATSError.invalidAddress(text)) { try ServerAddress(text) }
  }

  @Test(arguments: ["nats://me:secret@host:99999", "http://me:secret@host", "me:se@secret@a b", "nats://secret@"])
  func noPasswordStandsInAnError(text: String) {
    let error = #expect(throws: NATSError.self) { try ServerAddress(text) }
    #expect(error?.description.contains("secret") == false)
    #expect(error?.description.contains("…@") == true)
  }

  @Test func nothingThatIsPrintedHasASecret() throws {
    var options = NATSOptions()
    let address = try ServerAddress("nats://me:secret@host")
    for credentials in [NATSCredentials.user("me", password: "secret"), .token("secret"), .key(seed: "secret")] {
      options.credentials = credentials
      var dumped = ""
      dump((options, credentials, address), to: &dumped)
      for text in [dumped, "\(options)", "\(credentials)", String(reflecting: options), "\(address)"] {
        #expect(!text.contains("secret"))
      }
    }
  }

  @Test func waitingGrowsToABoundAndIsShortenedByChance() {
    let backoff = NATSBackoff(first: .milliseconds(100), greatest: .seconds(1), jitter: 0.5)
    let expected = [100, 200, 400, 800, 1000, 1000].map { Duration.milliseconds($0) }
    #expect((1...6).map { backoff.delay(afterRounds: $0, chance: 0) } == expected)
    #expect(backoff.delay(afterRounds: 1, chance: 1) == .milliseconds(50))
    #expect(backoff.delay(afterRounds: .max, chance: 0) == .seconds(1))
    #expect(backoff.delay(afterRounds: 0, chance: 0) == .milliseconds(100))
  }

  @Test func aNameInACertificateMayHaveAFirstWordThatIsOpen() {
    for (entry, name, isOf) in [
      ("a.b.c", "A.b.C", true), ("*.b.c", "a.b.c", true), ("*.b.c", "x.a.b.c", false), ("*.b.c", "b.c", false),
      ("*.b.c", ".b.c", false), ("a.*.c", "a.b.c", false), ("*", "a", false), ("a.b", "a.b.c", false),
    ] {
      #expect(TLSHandlers.isOf(entry, name) == isOf, "\(entry) \(name)")
    }
  }

  @Test func serversHaveTheirTurn() throws {
    var list = ServerList([try ServerAddress("a"), try ServerAddress("b")])
    list.learn(["b:4222", "c:4222", "not an address"], from: list.current, verifiedBy: "a")
    var turns: [String] = []
    for _ in 0..<4 {
      turns.append(list.current.host)
      list.currentHasFailed()
    }
    #expect(turns == ["a", "b", "c", "a"])
    #expect(list.rounds == 1)
    #expect(!list.isAtStartOfRound)
    list.currentHasAccepted()
    #expect(list.isAtStartOfRound)
  }

  @Test func serversThatAreLearntHaveTheNameAndTheCredentialsOfTheOneThatTold() throws {
    var list = ServerList([try ServerAddress("tls://me:p@a"), try ServerAddress("tls://b")])
    list.learn(["10.0.0.1:4222", "b:4222", "10.0.0.1:4222"], from: list.current, verifiedBy: "a")
    #expect(list.servers.map(\.host) == ["a", "b", "10.0.0.1"])
    #expect(list.servers.map(\.verifiedName) == [nil, nil, "a"])
    #expect(list.servers[2].user == "me" && list.servers[2].usesTLS)
    // What is named later takes the place of what was named before, beside the server to which the connection is.
    let third = list.servers[2]
    list.learn(["10.0.0.2:4222"], from: third, verifiedBy: "a")
    #expect(list.servers.map(\.host) == ["a", "b", "10.0.0.2", "10.0.0.1"])
    #expect(list.current == third)
    list.learn([], from: list.servers[0], verifiedBy: "a")
    #expect(list.servers.map(\.host) == ["a", "b"])
  }
}
