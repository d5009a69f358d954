import Aggregate
import RASPLogs
import Streams
import TestSupport
import Testing

@Suite("Who owns which row", .endsInTime)
struct OwnersTests {
  @Test("LOAD-66: each member and each follower knows the owner of a key, with its address, now and as it changes")
  func owners() async throws {
    let log = MemoryLog<Deposit>(partitions: 4)
    let first = try await LoggedSavings.opened(on: log, as: "first", at: "http://10.0.0.1:80")
    let shown = try await LoggedSavings.following(log)
    let tables = Lock<[LogOwners]>([])
    let subscription = shown.owners.subscribe { owners in tables.withLock { $0.append(owners) } }
    #expect(shown.owner(of: "ada") == LogOwner("first", at: "http://10.0.0.1:80"))
    let second = try await LoggedSavings.opened(on: log, as: "second")
    for aggregator in [first, second, shown] {
      #expect(aggregator.owners.current.partitions(of: "first") == first.partitions)
      #expect(aggregator.owners.current.partitions(of: "second") == second.partitions)
      #expect(aggregator.owners.current.members.map(\.member).sorted() == ["first", "second"])
      for key in ["ada", "bob", "eve", "joe"] {
        let owner = first.partitions.contains(PartitionHasher.partition(of: key, among: 4)) ? "first" : "second"
        #expect(aggregator.owner(of: key)?.member == owner)
      }
    }
    await first.shutdown()
    #expect(shown.owner(of: "ada") == LogOwner("second"))
    await second.shutdown()
    #expect(shown.owner(of: "ada") == nil && shown.owners.current.members.isEmpty)
    #expect(tables.withLock { $0.map(\.members.count) } == [1, 2, 1, 0])
    subscription.cancel()
    await shown.shutdown()
    #expect(LogOwners([nil])[7] == nil)
  }

  @Test("LOAD-66: a log that knows only the partitions of the caller tells these")
  func unknownOthers() async throws {
    let log = BrokenLog<Deposit>(MemoryLog(partitions: 4)) { _ in }
    let first = try await LoggedSavings.opened(on: log, as: "first", at: "a")
    let second = try await LoggedSavings.opened(on: log, as: "second")
    #expect(first.owners.current.members == [LogOwner("first", at: "a")])
    #expect(first.owners.current.partitions(of: "first") == first.partitions && first.partitions.count == 2)
    let shown = try await LoggedSavings.following(log)
    #expect(shown.owners.current == LogOwners([nil, nil, nil, nil]))
    for aggregator in [first, second, shown] { await aggregator.shutdown() }
  }

  @Test("LOAD-66: the table divides partitions as the assignment of each member does")
  func random() {
    for seed in 0..<UInt64(rounds(2_000)) {
      var random = SplitMix(seed: seed)
      let names = (0..<Int.random(in: 0...6, using: &random)).map { "member \($0 * Int(seed + 1))" }
      let partitions = Int.random(in: 0...20, using: &random)
      let table = LogOwners(dividing: partitions, among: names.map { LogOwner($0, at: $0) })
      #expect(table.count == partitions)
      for name in names {
        let share = LogAssignment.share(of: name, among: names, partitions: partitions)
        #expect(table.partitions(of: name) == share)
        for partition in share { #expect(table[partition] == LogOwner(name, at: name)) }
      }
    }
  }
}
