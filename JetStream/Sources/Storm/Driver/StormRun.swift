import FleetProcesses
import Foundation
import NIOConcurrencyHelpers
import RASPLogs

/// One storm, from the first server to the verdict.
struct StormRun: Sendable {
  let options: StormOptions
  let servers: Servers
  let log: DriverLog
  /// How long the lease of an owner is.
  let lease: Duration
  /// Prints a line.
  let say: @Sendable (String) -> Void
  /// Whether owners are left alone, because something else happens to them.
  let isHeld = NIOLockedValueBox(false)
  /// Whether all publishers have ended.
  let isOver = NIOLockedValueBox(false)

  /// - Returns: the table, and whether nothing is wrong.
  func run() async throws -> StormTable {
    let clock = ContinuousClock()
    let start = clock.now
    let crew = Crew { name, onLine in
      let errors = try file("\(name).errors")
      defer { try? errors.close() }
      return try await ChildProcess(
        ParentProcess.ownExecutable,
        roleArguments(.owner, name),
        errors: errors,
        onLine: onLine
      )
    }
    for _ in 0..<options.owners { try await crew.add() }
    var publishers: [ChildProcess] = []
    for index in 0..<options.publishers {
      publishers.append(
        try await ChildProcess(ParentProcess.ownExecutable, roleArguments(.publisher, "\(index)"))
      )
    }
    let poisoner = Poisoner(servers: servers.addresses, log: log.name, partitions: log.partitions, seed: options.seed)
    let poisoning = Task { options.isPoisoned ? await poisoner.run() : 0 }
    let killing = [Task { try await killOwners(of: crew) }, Task { try await killServers(since: start) }]
    let striking = Task { try await options.putBack.asyncMap { try await putBack($0, crew, since: start) } }
    let telling = Task {
      while !Task.isCancelled {
        try await Task.sleep(for: .seconds(2))
        let counts = crew.counts
        say(
          "\((clock.now - start).components.seconds) s: \(counts.killed) owners and \(servers.kills) servers killed, "
            + "\(servers.stalls) stalls, \(counts.takeovers) takeovers, \(counts.deposed) deposed"
        )
      }
    }
    var failures: [String] = []
    for publisher in publishers {
      let status = await publisher.end()
      if status != 0 { failures.append("a publisher has ended with \(status)") }
    }
    let appendingTime = clock.now - start
    poisoning.cancel()
    for task in killing { task.cancel() }
    for task in killing {
      do { try await task.value } catch is CancellationError {} catch { failures.append("\(error)") }
    }
    // They end by themselves, as soon as nothing is appended any more.
    isOver.withLockedValue { $0 = true }
    var judged = Findings()
    let strike = try await striking.value
    if let strike { try await repair(strike, crew, &judged, &failures) }
    await catchUp()
    judged.unowned = await withoutOwner(crew)
    await crew.endAll(within: .seconds(20))
    telling.cancel()
    say("Verifying.")
    failures += written(by: crew.names)
    if strike == nil { failures += crew.counts.wentBack.keys.sorted().map { "partition \($0) went back, as is said" } }
    let findings = try await verifier(of: crew, strike).verify().adding(judged)
    let counts = crew.counts
    return StormTable(
      findings: findings,
      counts: counts,
      serverKills: servers.kills,
      serverStalls: servers.stalls,
      poisonous: await poisoning.value,
      appendingTime: appendingTime,
      failures: failures + counts.failures
    )
  }

  /// The arguments of this program, and more: where one stands twice the last one counts.
  private func roleArguments(_ role: Role.Kind, _ name: String) -> [String] {
    assert(!servers.addresses.isEmpty, "A storm has a server.")
    var words = ["--role", role.rawValue] + CommandLine.arguments.dropFirst()
    words += ["--name", name, "--folder", servers.folder.path]
    if options.servers.isEmpty { words += ["--servers"] + servers.addresses }
    if let events = options.events { words += ["--events", "\(max(1, events / options.publishers))"] }
    return words
  }

  private func verifier(of crew: Crew, _ strike: Strike?) async throws -> Verifier {
    let texts = try (0..<options.publishers).map { index in
      try String(contentsOf: servers.folder.appending(path: "publisher-\(index)"), encoding: .utf8)
    }
    var verifier = Verifier(
      log: log.present,
      report: AppendReport(lines: texts.joined().split(separator: "\n"))
    )
    for name in crew.names {
      // One that was killed at once has none.
      let text = try? String(contentsOf: servers.folder.appending(path: "\(name).report"), encoding: .utf8)
      verifier.owners[name] = text.map { OwnerReport(text: $0) }
    }
    verifier.hasReactions = options.hasReactions
    verifier.gone = strike?.times
    verifier.isWhole = options.isStalled
    return verifier
  }

  private func file(_ name: String) throws -> FileHandle {
    let path = servers.folder.appending(path: name).path
    _ = FileManager.default.createFile(atPath: path, contents: nil)
    guard let file = FileHandle(forWritingAtPath: path) else { throw CocoaError(.fileWriteUnknown) }
    return file
  }

  /// What owners have written to their standard error that did not happen, and what a sanitizer has found in them. What
  /// an aggregator tells while it is being opened cannot be heard yet, so that stands there.
  private func written(by names: [String]) -> [String] {
    var right: [String] = []
    if options.isPoisoned { right.append("is passed over") }
    if options.putBack != nil { right.append("was there, and") }
    return names.sorted().flatMap { name in
      let text = try? String(contentsOf: servers.folder.appending(path: "\(name).errors"), encoding: .utf8)
      let wrong = (text ?? "").split(separator: "\n").filter { line in
        let isReport = ["RASP,", "Fatal error", "WARNING: ThreadSanitizer"].contains { line.contains($0) }
        return isReport && !right.contains { line.contains($0) }
      }
      return wrong.prefix(5).map { "\(name) has written: \($0)" }
    }
  }

  /// How much of the storm is over, from 0 to 1.
  func progress(since start: ContinuousClock.Instant) async -> Double {
    if let seconds = options.seconds { return (ContinuousClock.now - start) / .seconds(seconds) }
    guard let events = options.events else { return 1 }
    var newest = 0
    for partition in 0..<log.partitions { newest += (try? await log.present.newest(in: partition)) ?? 0 }
    return Double(newest) / Double(events)
  }

  /// Returns when so much is over, or all publishers have ended.
  func wait(for progress: Double, since start: ContinuousClock.Instant) async throws {
    while await self.progress(since: start) < progress, !isOver.withLockedValue({ $0 }) {
      try await Task.sleep(for: .milliseconds(50))
    }
  }
}

/// What happened to the store, and when.
struct Strike: Sendable {
  /// From the copy to the moment at which it was put back, seconds since 1970.
  var times: ClosedRange<Double>
  /// The partitions that have lost entries.
  var poorer: Set<Int>
}
