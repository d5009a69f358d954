import Foundation
import NIOCore
import RASPLogs
import RASPNATS

/// An older copy of the store is put back, and publishers fill it again while no owner looks.
extension StormRun {
  /// - Parameter start: when the storm began.
  func putBack(_ what: PutBack, _ crew: Crew, since start: ContinuousClock.Instant) async throws -> Strike {
    try await wait(for: 0.2, since: start)
    let copied = Date.now.timeIntervalSince1970
    try await servers.copyStore()
    let older = try await newest()
    try await wait(for: 0.4, since: start)
    // Owners that have just started have no record yet that the copy lacks.
    while try await !zip(records(), older).contains(where: { $0 > $1 }), !isOver.withLockedValue({ $0 }) {
      try await Task.sleep(for: .milliseconds(50))
    }
    isHeld.withLockedValue { $0 = true }
    let goOn = crew.strike()
    let before = try await newest()
    let streams = (0..<log.partitions).map { "\(log.name)-\($0)" }
    try await servers.putBack(what == .partitions ? streams : nil)
    let times = copied...Date.now.timeIntervalSince1970
    try await log.reopen()
    // Numbers alone tell nothing then.
    while try await zip(newest(), before).contains(where: { $0 <= $1 }), !isOver.withLockedValue({ $0 }) {
      try await Task.sleep(for: .milliseconds(50))
    }
    goOn()
    while crew.size < options.owners { try await crew.add() }
    isHeld.withLockedValue { $0 = false }
    say("An older store was put back, and has grown again.")
    return Strike(times: times, poorer: Set((0..<log.partitions).filter { older[$0] < before[$0] }))
  }

  /// The newest offsets of all partitions.
  private func newest() async throws -> [Int] {
    var newest: [Int] = []
    for partition in 0..<log.partitions { newest.append(try await log.present.newest(in: partition)) }
    return newest
  }

  /// The offsets of the records of all partitions.
  private func records() async throws -> [Int] {
    var records: [Int] = []
    for partition in 0..<log.partitions { records.append(try await log.present.committed(partition).offset) }
    return records
  }

  /// Does what an operator does after `LogError.wentBack`, and finds partitions of which no owner has said it.
  func repair(
    _ strike: Strike,
    _ crew: Crew,
    _ findings: inout Findings,
    _ failures: inout [String]
  ) async throws {
    let limit = ContinuousClock.now + lease * 10
    while try await !broken().isSubset(of: crew.counts.wentBack.keys), ContinuousClock.now < limit {
      try await Task.sleep(for: .milliseconds(100))
    }
    await crew.endAll(within: .seconds(20))
    let (broken, said) = (try await broken(), Set(crew.counts.wentBack.keys))
    let wrong = broken.subtracting(said).union(said.subtracting(strike.poorer))
    findings.falseReports += wrong.count
    for partition in wrong.sorted() {
      findings.explain("partition \(partition) went back in silence, or an owner says so and it did not")
    }
    // With the records, owners may be deposed before they look.
    if options.putBack == .partitions, said.isEmpty { failures.append("no owner has noticed that the log went back") }
    let client = try await NATSClient.connect(to: servers.addresses)
    for partition in broken.intersection(said) {
      let subject = "$KV.\(log.name).\(partition)"
      _ = try await client.request(ByteBuffer(), to: subject, headers: ["KV-Operation": "DEL"])
    }
    await client.close()
    for _ in 0..<options.owners { try await crew.add() }
  }

  /// The partitions whose records are not those of the entries that are there.
  private func broken() async throws -> Set<Int> {
    var broken: Set<Int> = []
    for partition in 0..<log.partitions {
      let record = try await log.present.committed(partition)
      let newest = try await log.present.newest(in: partition)
      let found = newest < record.offset ? nil : try await log.present.identity(of: record.offset, in: partition)
      if found?.fits(record.identity) != true { broken.insert(partition) }
    }
    return broken
  }
}

extension Optional {
  /// What comes of the value, if there is one.
  func asyncMap<Result: Sendable>(_ transform: (Wrapped) async throws -> Result) async rethrows -> Result? {
    if let self { try await transform(self) } else { nil }
  }
}
