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

  @Test func waitingGrowsToABoundAndIsShortenedByChance() {
    let backoff = NATSBackoff(first: .milliseconds(100), greatest: .seconds(1), jitter: 0.5)
    let expected = [100, 200, 400, 800, 1000, 1000].map { Duration.milliseconds($0) }
    #expect((1...6).map { backoff.delay(afterRounds: $0, chance: 0) } == expected)
    #expect(backoff.delay(afterRounds: 1, chance: 1) == .milliseconds(50))
    #expect(backoff.delay(afterRounds: .max, chance: 0) == .seconds(1))
    #expect(backoff.delay(afterRounds: 0, chance: 0) == .milliseconds(100))
  }

  @Test func serversHaveTheirTurn() throws {
    var list = ServerList([try ServerAddress("a"), try ServerAddress("b")])
    list.add(["b:4222", "c:4222", "not an address"])
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
}
