import FleetProcesses
import Foundation
import NIOConcurrencyHelpers

/// The owners that run, and what they have told.
///
/// Safe to share: what changes is behind the lock.
final class Fleet: Sendable {
  struct Member: Sendable {
    let child: ChildProcess
    var status = OwnerStatus()
  }

  private struct State {
    var members: [String: Member] = [:]
    var started = 0
    /// When an owner was killed, as long as its partitions have no other one.
    var killed: ContinuousClock.Instant?
    var takeover: Duration?
  }

  private let state = NIOLockedValueBox(State())
  private let partitions: Int
  private let start: ChildProcess.Start

  init(partitions: Int, start: @escaping ChildProcess.Start) {
    self.partitions = partitions
    self.start = start
  }

  /// The owners in the order in which they were started.
  var members: [(name: String, member: Member)] {
    state.withLockedValue { $0.members }.sorted { $0.key.localizedStandardCompare($1.key) == .orderedAscending }
      .map { ($0.key, $0.value) }
  }

  /// How long the partitions of the last owner that was killed had no owner.
  var takeover: Duration? { state.withLockedValue { $0.takeover } }

  func add() async throws {
    let name = state.withLockedValue { state in
      state.started += 1
      return "owner-\(state.started)"
    }
    let child = try await start(name) { line in
      if let status = jsonValue(of: line, as: OwnerStatus.self) { self.heard(status, from: name) }
    }
    state.withLockedValue { $0.members[name] = Member(child: child) }
    Task {
      await child.end()
      state.withLockedValue { $0.members[name] = nil }
    }
  }

  /// Kills the owner that was started first.
  func killOne() {
    guard let (name, member) = members.first else { return }
    state.withLockedValue { state in
      state.members[name] = nil
      state.killed = .now
    }
    member.child.send(signal: SIGKILL)
  }

  /// Has all of them end in order.
  func end() async {
    let children = members.map(\.member.child)
    for child in children { child.tell("stop") }
    let guardian = Task {
      try await Task.sleep(for: .seconds(5))
      for child in children { child.send(signal: SIGKILL) }
    }
    for child in children { await child.end() }
    guardian.cancel()
  }

  private func heard(_ status: OwnerStatus, from name: String) {
    state.withLockedValue { state in
      state.members[name]?.status = status
      guard let killed = state.killed else { return }
      let owned = state.members.values.reduce(into: Set<Int>()) { $0.formUnion($1.status.offsets.keys) }
      if owned.count == partitions {
        state.takeover = killed.duration(to: .now)
        state.killed = nil
      }
    }
  }
}
