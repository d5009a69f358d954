import ServerSupport
import Testing

@Suite(.serialized, .enabled(if: NATSServer.isAvailable, "There is no nats-server on the path."))
struct FleetProgramTests {
  @Test("each partition has an owner, and readings are folded", .timeLimit(.minutes(9)), arguments: ["mqtt", "append"])
  func owners(way: String) async throws {
    let words = ["--seconds", "6", "--owners", "2", "--partitions", "6", "--rate", "500", "--by", way]
    let (status, lines) = try await BuiltProgram(name: "RASPFleet").run(words)
    #expect(status == 0, "\(lines)")
    let last = try #require(lines.last { $0.contains("readings/s") })
    // "500 readings/s, lag 3; owner-1 owns 0 2 5; owner-2 owns 1 3 4"
    let owned = last.split(separator: ";").dropFirst().flatMap { $0.split(separator: " ").compactMap { Int($0) } }
    // One that has just moved may stand at both owners: what they own is told five times a second.
    #expect(Set(owned) == Set(0..<6), "\(lines)")
    #expect(lines.contains { !$0.hasPrefix("0 readings/s") }, "\(lines)")
  }
}
