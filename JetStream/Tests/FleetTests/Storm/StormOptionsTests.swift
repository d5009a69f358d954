import FleetProcesses
import Testing

@testable import Storm

struct StormOptionsTests {
  @Test("without arguments a storm has a million events and a server of its own")
  func standard() throws {
    let options = try StormOptions.parse([])
    #expect(options.events == 1_000_000)
    #expect(options.seconds == nil)
    #expect(options.servers.isEmpty)
    #expect(options.mutant == nil)
  }

  @Test("numbers, lists and flags are read")
  func all() throws {
    let words = ["--events", "300000", "--seconds", "20", "--servers", "nats://a:1", "nats://b:2", "--seed", "7"]
    let options = try StormOptions.parse(words + ["--broker-kills", "3", "--mutant", "double-fold", "--keep"])
    #expect(options.events == 300_000)
    #expect(options.seconds == 20)
    #expect(options.servers == ["nats://a:1", "nats://b:2"])
    #expect(options.seed == 7)
    #expect(options.brokerKills == 3)
    #expect(options.mutant == .doubleFold)
    #expect(options.keepsFolder)
  }

  @Test(
    "a mistake is named",
    arguments: [
      (["--evnts", "3"], "--evnts"), (["--events"], "--events"), (["--events", "many"], "many"),
      (["--events", "--keep"], "--events"), (["now"], "'now'"), (["--events", "0"], "1...1000000000"),
      (["--mutant", "none"], "double-fold"), (["--three-servers", "--servers", "nats://a:1"], "--servers"),
      (["--seed", "-1"], "--seed"), (["--put-back", "some"], "partitions"),
      (["--put-back", "store", "--three-servers"], "--put-back"),
      (["--put-back", "store", "--servers", "nats://a:1"], "--put-back"),
      (["--stall", "--servers", "nats://a:1"], "--servers"), (["--stall", "--put-back", "store"], "--stall"),
      (["--from", "/old/nats-server"], "--stall"),
    ]
  )
  func mistakes(words: [String], part: String) throws {
    let mistake = #expect(throws: (any Error).self) { try StormCommand.parse(words) }
    #expect(StormCommand.fullMessage(for: try #require(mistake)).contains(part))
  }

  @Test("a mistake is made in the storm in which it matters")
  func mutants() throws {
    for mutant in Mutant.allCases {
      let options = try StormCommand.parse(["--mutant", mutant.rawValue]).options
      #expect(options.mutant == mutant)
      #expect(options.hasReactions == [.repeatedReaction, .missedReaction].contains(mutant))
      #expect((options.putBack != nil) == (mutant == .uncheckedIdentity))
      let stalled: [Mutant] = [.refusedAppend, .repeatedAppend, .falseDeposal, .ownPartitions]
      #expect(options.isStalled == stalled.contains(mutant))
    }
  }

  @Test("a storm in which servers stand still has three of them, and its time")
  func stall() throws {
    let options = try StormCommand.parse(["--stall", "--from", "/old/nats-server"]).options
    #expect(options.hasThreeServers && options.seconds == 60 && options.events == nil)
    #expect(options.olderServer == "/old/nats-server")
    #expect(options.appendLimit < options.commitLimit ?? .zero)
    #expect(try StormCommand.parse(["--stall", "--events", "5000"]).options.seconds == nil)
  }

  @Test("the same seed kills in the same order")
  func plan() {
    func acts(_ seed: UInt64) -> [KillPlan.Act] { KillPlan(seed: seed).prefix(200).map(\.act) }
    #expect(acts(1) == acts(1))
    #expect(acts(1) != acts(2))
    #expect(Set(acts(1)) == Set(KillPlan.Act.allCases))
  }

  @Test("what owners say is read as it was written")
  func messages() {
    let messages: [Owner.Message] = [
      .live(3), .deposed(0), .released(12), .wentBack(1), .failed("no answer"), .stopped,
    ]
    #expect(messages.map { jsonValue(of: jsonLine(of: $0)) } == messages)
    #expect(jsonValue(of: "something else", as: Owner.Message.self) == nil)
  }

  @Test("the report of a publisher that was killed is read up to its last whole line")
  func report() {
    let series = AppendReport.Series(publisher: 1, partition: 2)
    let lines = [(AppendReport.Fate.acknowledged, 1...50), (.unknown, 51...60)].map {
      jsonLine(of: AppendReport.Call(series: series, fate: $0, numbers: $1))
    }
    let report = AppendReport(lines: lines + [lines[0].dropLast(2).description])
    #expect(report.count(.acknowledged) == 50)
    #expect(report.count(.unknown) == 10)
    #expect(report.calls(of: series)[51]?.fate == .unknown)
  }
}
