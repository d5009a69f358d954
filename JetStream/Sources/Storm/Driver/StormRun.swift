import FleetProcesses
import Foundation
import RASPLogs
import Synchronization

/// One storm, from the first server to the verdict.
struct StormRun: Sendable {
  let options: StormOptions
  let servers: Servers
  let log: any EventLog<StormEvent>
  /// How long the lease of an owner is.
  let lease: Duration
  /// Prints a line.
  let say: @Sendable (String) -> Void

  /// - Returns: the table, and whether nothing is wrong.
  func run() async throws -> StormTable {
    let clock = ContinuousClock()
    let start = clock.now
    let crew = Crew { name, onLine in
      try await ChildProcess(ParentProcess.ownExecutable, roleArguments(.owner, name), onLine: onLine)
    }
    for _ in 0..<options.owners { try await crew.add() }
    var publishers: [ChildProcess] = []
    for index in 0..<options.publishers {
      publishers.append(
        try await ChildProcess(ParentProcess.ownExecutable, roleArguments(.publisher, "\(index)"))
      )
    }
    let poisoner = Poisoner(
      servers: servers.addresses,
      log: log.name,
      partitions: log.partitions,
      seed: options.seed
    )
    let poisoning = Task { options.isPoisoned ? await poisoner.run() : 0 }
    let killing = [Task { try await killOwners(of: crew) }, Task { try await killServers() }]
    let telling = Task {
      while !Task.isCancelled {
        try await Task.sleep(for: .seconds(2))
        let counts = crew.counts
        say(
          "\((clock.now - start).components.seconds) s: \(counts.killed) owners and \(servers.kills) servers killed, "
            + "\(counts.takeovers) takeovers, \(counts.deposed) deposed"
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
    await catchUp()
    await crew.endAll(within: .seconds(20))
    telling.cancel()
    say("Verifying.")
    let findings = try await Verifier(log: log, report: try report()).verify()
    let counts = crew.counts
    return StormTable(
      findings: findings,
      counts: counts,
      serverKills: servers.kills,
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

  private func report() throws -> AppendReport {
    let texts = try (0..<options.publishers).map { index in
      try String(contentsOf: servers.folder.appending(path: "publisher-\(index)"), encoding: .utf8)
    }
    return AppendReport(lines: texts.joined().split(separator: "\n"))
  }

  // MARK: Killing

  private func killOwners(of crew: Crew) async throws {
    var random = SeededGenerator(seed: options.seed &+ 1)
    for (pause, act) in KillPlan(seed: options.seed) {
      try await Task.sleep(for: pause)
      switch act {
      case .killOwner:
        crew.kill(using: &random)
      case .stopOwner:
        crew.suspend(for: lease + .seconds(1), using: &random)
      case .addOwner:
        if crew.size < options.owners * 2 { try await crew.add() }
      case .endOwner:
        crew.end(using: &random)
      }
      while crew.size < options.owners { try await crew.add() }
    }
  }

  private func killServers() async throws {
    guard servers.areOwn else { return }
    var random = SeededGenerator(seed: options.seed &+ 2)
    let pause = options.brokerKills.map { kills in
      options.seconds.map { Duration.seconds($0 / Double(kills + 1)) } ?? .seconds(4)
    }
    for _ in 0..<(options.brokerKills ?? .max) {
      try await Task.sleep(for: pause ?? .seconds(4))
      try await servers.killOne(for: .milliseconds(Int.random(in: 100...600, using: &random)), using: &random)
    }
  }

  /// Waits until the owners have committed all that is in the log, or do nothing any more.
  private func catchUp() async {
    var last = -1
    var idle = 0
    // A member whose lease is over leaves its partitions to the others only then.
    while idle < 150 {
      var (committed, newest) = (0, 0)
      do throws(LogError) {
        for partition in 0..<log.partitions {
          newest += try await log.newest(in: partition)
          committed += try await log.committed(partition).offset
        }
        if committed == newest { return }
      } catch {
        say("\(error)")
      }
      idle = committed == last ? idle + 1 : 0
      last = committed
      try? await Task.sleep(for: .milliseconds(200))
    }
    say("The owners do not come to the end of the log.")
  }
}
