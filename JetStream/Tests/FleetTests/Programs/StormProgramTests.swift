import ServerSupport
import Testing

/// Storms of real processes over a real server.
@Suite(.serialized, .enabled(if: NATSServer.isAvailable, "There is no nats-server on the path."))
struct StormProgramTests {
  private static let storm = BuiltProgram(name: "Storm")

  @Test("nothing is wrong after a server and owners were killed", .timeLimit(.minutes(10)))
  func right() async throws {
    let words = ["--events", "20000", "--seconds", "5", "--broker-kills", "1", "--keys", "50"]
    let (status, lines) = try await Self.storm.run(words)
    #expect(status == 0, "\(lines)")
    #expect(lines.last == "Nothing is wrong.")
    #expect(lines.contains { $0.hasPrefix("wrong rows") && $0.hasSuffix(" 0") })
    #expect(lines.contains { $0.hasPrefix("servers killed") && $0.hasSuffix(" 1") })
  }

  @Test("what a record has was reacted to, and is not reacted to again", .timeLimit(.minutes(10)))
  func reactions() async throws {
    let words = ["--events", "8000", "--seconds", "5", "--broker-kills", "1", "--keys", "50", "--partitions", "4"]
    let (status, lines) = try await Self.storm.run(words + ["--reactions"])
    #expect(status == 0, "\(lines)")
    #expect(lines.contains("Nothing is wrong."), "\(lines)")
  }

  @Test("an older store that has grown again is noticed", .timeLimit(.minutes(10)))
  func putBack() async throws {
    let words = ["--events", "8000", "--seconds", "5", "--keys", "50", "--partitions", "4"]
    let (status, lines) = try await Self.storm.run(words + ["--put-back", "partitions"])
    #expect(status == 0, "\(lines)")
    #expect(lines.contains { $0.hasPrefix("partitions that went back") && !$0.hasSuffix(" 0") }, "\(lines)")
  }

  @Test("nothing is wrong where most servers have stood still", .timeLimit(.minutes(10)))
  func stall() async throws {
    let (status, lines) = try await Self.storm.run(["--stall", "--seconds", "15", "--keys", "50", "--partitions", "4"])
    #expect(status == 0, "\(lines)")
    #expect(lines.contains { $0.hasPrefix("most servers stood still") && !$0.hasSuffix(" 0") }, "\(lines)")
  }

  @Test("a fold that is wrong is found", .timeLimit(.minutes(10)))
  func mutant() async throws {
    let words = ["--events", "5000", "--seconds", "2", "--broker-kills", "0", "--mutant", "double-fold"]
    let (status, lines) = try await Self.storm.run(words)
    #expect(status == 1)
    #expect(lines.contains { $0.hasPrefix("wrong rows") && !$0.hasSuffix(" 0") }, "\(lines)")
    #expect(lines.contains("Something is wrong."))
  }
}

struct StormWithoutServerTests {
  @Test("without a server on the path a sentence says how to get one", .timeLimit(.minutes(10)))
  func missing() async throws {
    let (status, lines) = try await BuiltProgram(name: "Storm").run([], path: "/no/such/folder")
    #expect(status == 2)
    #expect(lines.first?.contains("There is no nats-server on the path. Install one") == true)
  }
}
