import FleetProcesses

/// A rolling upgrade: owners of the next version of the program beside those of the version before, which get less.
extension StormRun {
  /// - Parameter start: when the storm began.
  func upgrade(_ crew: Crew, since start: ContinuousClock.Instant) async throws {
    try await wait(for: 0.25, since: start)
    // Both for a while: an older one that comes later finds records of the next version.
    versions.withLockedValue { $0 = [1, 2] }
    try await crew.add(version: 2)
    try await wait(for: 0.4, since: start)
    try await crew.add(version: 1)
    try await wait(for: 0.7, since: start)
    versions.withLockedValue { $0 = [2] }
    for _ in 0..<options.owners { try await crew.add(version: 2) }
    // Also those that are stopped now end, as soon as they go on.
    while crew.retire(version: 1) { try await Task.sleep(for: .milliseconds(100)) }
    say("All owners are of the next version.")
  }
}
