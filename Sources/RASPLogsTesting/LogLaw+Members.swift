import RASPLogs
import Streams

extension LogLaw {
  func checkPartitions(_ log: some EventLog<String>) async throws {
    for partition in [-1, log.partitions] {
      let isRight: (LogError) -> Bool = { if case .noPartition(_, partition, _) = $0 { true } else { false } }
      try await requireError("append", where: isRight) { () async throws(LogError) in
        try await log.append(["a"], to: partition)
      }
      try await requireError("newest", where: isRight) { () async throws(LogError) in
        try await log.newest(in: partition)
      }
      try await requireError("entries", where: isRight) { () async throws(LogError) in
        var batches = log.entries(of: partition, after: 0).makeAsyncIterator()
        return try await batches.next()
      }
      try await requireError("committed", where: isRight) { () async throws(LogError) in
        try await log.committed(partition)
      }
      try await requireError("commit", where: isRight) { () async throws(LogError) in
        try await log.commit([], at: 0, to: partition, replacing: .none)
      }
    }
  }

  func checkAssignment(_ log: some EventLog<String>, _ patience: Duration) async throws {
    let all = Set(0..<log.partitions)
    let shares = Lock<[String: Set<Int>]>([:])
    func join(_ member: String) -> Subscription {
      log.assignment(of: member).subscribe { share in shares.withLock { $0[member] = share } }
    }
    func areDivided(among members: [String]) -> Bool {
      let parts = shares.withLock { shares in members.map { shares[$0] ?? [] } }
      let most = (all.count + members.count - 1) / members.count
      return parts.allSatisfy { $0.count <= most } && parts.map(\.count).reduce(0, +) == all.count
        && parts.reduce(into: Set<Int>()) { $0.formUnion($1) } == all
    }
    let first = join("first")
    try await wait(patience, "a single member has all partitions") { areDivided(among: ["first"]) }
    let second = join("second")
    try await wait(patience, "two members divide the partitions") { areDivided(among: ["first", "second"]) }
    first.cancel()
    try await wait(patience, "the member that stays has all partitions") { areDivided(among: ["second"]) }
    second.cancel()
  }

  func checkOwners(_ log: some EventLog<String>, _ patience: Duration) async throws {
    let members = ["first", "second"].map { LogOwner($0, at: "http://\($0).example:8080/?a=b, c") }
    let tables = Lock<[String: LogOwners]>([:])
    func look(_ member: LogOwner?) -> Subscription {
      log.owners(joining: member).subscribe { owners in
        tables.withLock { $0[member?.member ?? "watch"] = owners }
      }
    }
    let watch = look(nil)
    var subscriptions = members.map(look)
    let all = Set(0..<log.partitions)
    /// Whether all tables agree, and those of the members have what they own.
    func agree(_ members: [LogOwner]) -> Bool {
      let tables = tables.withLock { $0 }
      let shares = members.map { tables[$0.member]?.partitions(of: $0.member) ?? [] }
      let union = shares.reduce(into: Set<Int>()) { $0.formUnion($1) }
      guard shares.map(\.count).reduce(0, +) == all.count, union == all else { return false }
      let right = (0..<log.partitions).map { partition in
        zip(members, shares).first { share in share.1.contains(partition) }?.0
      }
      let present = tables.filter { name, _ in name == "watch" || members.contains { $0.member == name } }
      return present.values.allSatisfy { table in
        table.count == all.count && all.allSatisfy { table[$0] == nil || table[$0] == right[$0] }
      }
    }
    try await wait(patience, "the tables of two members agree") { agree(members) }
    subscriptions.removeFirst().cancel()
    try await wait(patience, "the member that stays has all partitions, with its address") {
      agree(Array(members.dropFirst()))
    }
    subscriptions.removeFirst().cancel()
    watch.cancel()
  }

  func checkClosing(_ log: some EventLog<String>, _ patience: Duration) async throws {
    try await log.append(["a"], to: 0)
    let hasEnded = Lock(false)
    let subscription = log.assignment(of: "member").subscribe { _ in
    } onEnd: { _ in
      hasEnded.withLock { $0 = true }
    }
    let reader = Task { try await log.entries(of: 0, after: 1).reduce(0) { $0 + $1.entries.count } }
    try await log.close()
    let count = try await reader.value
    try require(count == 0, "a reader gets \(count) entries when the log is closed")
    try await wait(patience, "an assignment ends") { hasEnded.withLock { $0 } }
    subscription.cancel()
    let isRight: (LogError) -> Bool = { if case .closed = $0 { true } else { false } }
    try await requireError("append", where: isRight) { () async throws(LogError) in try await log.append(["b"], to: 0) }
    try await requireError("newest", where: isRight) { () async throws(LogError) in try await log.newest(in: 0) }
    try await requireError("committed", where: isRight) { () async throws(LogError) in try await log.committed(0) }
    try await requireError("commit", where: isRight) { () async throws(LogError) in
      try await log.commit([], at: 0, to: 0, replacing: .none)
    }
    let late = try await log.entries(of: 0, after: 1).reduce(0) { $0 + $1.entries.count }
    try require(late == 0, "a closed log has \(late) entries")
  }
}
