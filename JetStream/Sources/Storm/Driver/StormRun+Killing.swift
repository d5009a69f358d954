import RASPLogs

/// What happens to owners and servers at random, and the wait for what they leave.
extension StormRun {
  func killOwners(of crew: Crew) async throws {
    var random = SeededGenerator(seed: options.seed &+ 1)
    for (pause, act) in KillPlan(seed: options.seed) {
      try await Task.sleep(for: pause)
      if isHeld.withLockedValue({ $0 }) { continue }
      switch act {
      // Those who are not killed have written all that they have done.
      case .killOwner where options.isStalled:
        crew.end(using: &random)
      case .killOwner:
        crew.kill(using: &random)
      case .stopOwner:
        crew.suspend(for: lease + .seconds(1), using: &random)
      case .addOwner:
        if crew.size < options.owners * 2 { try await crew.add() }
      case .endOwner:
        crew.end(using: &random)
      }
      while crew.size < options.owners, !isHeld.withLockedValue({ $0 }) { try await crew.add() }
    }
  }

  /// - Parameter start: when the storm began.
  func killServers(since start: ContinuousClock.Instant) async throws {
    // With an older store it is known when the server ends, and so what went with it.
    guard servers.areOwn, options.putBack == nil else { return }
    if options.isStalled { return try await stallServers(since: start) }
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
  func catchUp() async {
    var last = -1
    var idle = 0
    // A member whose lease is over leaves its partitions to the others only then.
    while idle < 150 {
      var (committed, newest) = (0, 0)
      do throws(LogError) {
        for partition in 0..<log.partitions {
          newest += try await log.present.newest(in: partition)
          committed += try await log.present.committed(partition).offset
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

  /// Waits until each partition has an owner.
  ///
  /// - Returns: how many have none when that takes longer than several leases.
  func withoutOwner(_ crew: Crew) async -> Int {
    let limit = ContinuousClock.now + lease * 5
    while crew.owned.count < log.partitions, ContinuousClock.now < limit {
      try? await Task.sleep(for: .milliseconds(50))
    }
    return log.partitions - crew.owned.count
  }
}
