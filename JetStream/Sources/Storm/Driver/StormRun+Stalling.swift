/// Servers that stand still, and servers of an older version that are upgraded one after the other.
extension StormRun {
  /// How long most servers stand still: shorter and longer than a request, an append and a commit may take.
  private static let stalls: [Duration] = [.milliseconds(200), .seconds(1), .seconds(3), .seconds(6)]

  /// - Parameter start: when the storm began.
  func stallServers(since start: ContinuousClock.Instant) async throws {
    var random = SeededGenerator(seed: options.seed &+ 2)
    var upgraded = options.olderServer == nil ? 3 : 0
    while true {
      for stall in Self.stalls.shuffled(using: &random) {
        try await Task.sleep(for: .milliseconds(Int.random(in: 1_000...3_000, using: &random)))
        if upgraded < 3, await progress(since: start) > 0.2 + 0.2 * Double(upgraded) {
          try await servers.upgrade(upgraded)
          upgraded += 1
          if upgraded == 3 { say("All servers are of the later version.") }
        }
        await servers.stall(for: stall, using: &random)
      }
    }
  }
}
