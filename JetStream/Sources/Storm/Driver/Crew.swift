import FleetProcesses
import Foundation
import NIOConcurrencyHelpers

/// The owners of a storm: it starts, stops and kills them, and counts what they say.
///
/// Safe to share: what changes is behind the lock.
final class Crew: Sendable {
  struct Counts: Equatable, Sendable {
    var started = 0
    var killed = 0
    var stopped = 0
    var ended = 0
    var takeovers = 0
    var deposed = 0
    /// How often owners have said of a partition that it went back.
    var wentBack: [Int: Int] = [:]
    var failures: [String] = []
    /// What became of each partition, in words.
    var history: [Int: [String]] = [:]
  }

  private struct State {
    var counts = Counts()
    /// All that have not ended.
    var children: [String: ChildProcess] = [:]
    /// Those that may be killed, stopped or asked to end.
    var available: Set<String> = []
    /// Those whose end is no failure.
    var expected: Set<String> = []
    /// All that were started.
    var names: [String] = []
    /// Those that have said of a partition that they own it.
    var owners: [Int: Set<String>] = [:]

    mutating func leave(_ partition: Int, _ name: String, _ text: String) {
      owners[partition]?.remove(name)
      counts.history[partition, default: []].append(text)
    }
  }

  /// Starts an owner.
  typealias Start =
    @Sendable (_ name: String, _ onLine: @escaping @Sendable (String) -> Void) async throws -> ChildProcess

  private let state = NIOLockedValueBox(State())
  private let start: Start

  init(start: @escaping Start) {
    self.start = start
  }

  var counts: Counts { state.withLockedValue { $0.counts } }
  var size: Int { state.withLockedValue { $0.available.count } }
  /// The names of all that were started.
  var names: [String] { state.withLockedValue { $0.names } }
  /// The partitions that have an owner, as far as owners have said so.
  var owned: Set<Int> { state.withLockedValue { Set($0.owners.filter { !$0.value.isEmpty }.keys) } }

  func add() async throws {
    let name = state.withLockedValue { state in
      state.counts.started += 1
      let name = "owner-\(state.counts.started)"
      state.names.append(name)
      return name
    }
    let child = try await start(name) { line in self.heard(line, from: name) }
    state.withLockedValue { state in
      state.children[name] = child
      state.available.insert(name)
    }
    Task {
      let status = await child.end()
      state.withLockedValue { state in
        state.children[name] = nil
        state.available.remove(name)
        for partition in state.owners.keys { state.owners[partition]?.remove(name) }
        if !state.expected.contains(name) { state.counts.failures.append("\(name) has ended with \(status)") }
      }
    }
  }

  /// Kills one of them.
  func kill(using random: inout SeededGenerator) {
    take(using: &random, count: \.killed, isEnd: true)?.child.send(signal: SIGKILL)
  }

  /// Asks one of them to end.
  func end(using random: inout SeededGenerator) {
    take(using: &random, count: \.ended, isEnd: true)?.child.tell("stop")
  }

  /// Stops one of them for a while, during which the others go on.
  func suspend(for time: Duration, using random: inout SeededGenerator) {
    guard let (name, child) = take(using: &random, count: \.stopped, isEnd: false) else { return }
    child.send(signal: SIGSTOP)
    Task {
      try? await Task.sleep(for: time)
      child.send(signal: SIGCONT)
      state.withLockedValue { state in
        if state.children[name] != nil { _ = state.available.insert(name) }
      }
    }
  }

  /// Kills every second owner and stops the others, which keep what they know.
  ///
  /// - Returns: what has those go on that were stopped.
  func strike() -> @Sendable () -> Void {
    let children = state.withLockedValue { state in
      let names = state.available.sorted()
      state.available = []
      for (index, name) in names.enumerated() where index % 2 == 0 { state.expected.insert(name) }
      state.counts.killed += (names.count + 1) / 2
      state.counts.stopped += names.count / 2
      return names.map { ($0, state.children[$0]) }
    }
    for (index, child) in children.enumerated() { child.1?.send(signal: index % 2 == 0 ? SIGKILL : SIGSTOP) }
    return { [state] in
      for (index, child) in children.enumerated() where index % 2 == 1 {
        child.1?.send(signal: SIGCONT)
        state.withLockedValue { state in
          if state.children[child.0] != nil { _ = state.available.insert(child.0) }
        }
      }
    }
  }

  /// Has all end in order, also those that are stopped.
  ///
  /// - Parameter limit: one that takes longer is killed, which is a failure.
  func endAll(within limit: Duration) async {
    let children = state.withLockedValue { state in
      state.available = []
      state.expected.formUnion(state.children.keys)
      return state.children
    }
    for child in children.values {
      child.send(signal: SIGCONT)
      child.tell("stop")
    }
    let guardian = Task {
      try await Task.sleep(for: limit)
      for (name, child) in children where child.isRunning {
        state.withLockedValue { $0.counts.failures.append("\(name) does not end") }
        child.send(signal: SIGKILL)
      }
    }
    for child in children.values { await child.end() }
    guardian.cancel()
  }

  private func take(
    using random: inout SeededGenerator,
    count: WritableKeyPath<Counts, Int> & Sendable,
    isEnd: Bool
  ) -> (name: String, child: ChildProcess)? {
    let number = random.next()
    return state.withLockedValue { state in
      assert(state.available.isSubset(of: state.children.keys), "Who is available has not ended.")
      let names = state.available.sorted()
      // One is always left, so that the storm goes on.
      guard names.count > 1 else { return nil }
      let name = names[Int(number % UInt64(names.count))]
      guard let child = state.children[name] else { return nil }
      state.available.remove(name)
      if isEnd { state.expected.insert(name) }
      state.counts[keyPath: count] += 1
      return (name, child)
    }
  }

  private func heard(_ line: String, from name: String) {
    guard let message = jsonValue(of: line, as: Owner.Message.self) else { return }
    state.withLockedValue { state in
      switch message {
      case .live(let partition):
        state.counts.takeovers += 1
        state.owners[partition, default: []].insert(name)
        state.counts.history[partition, default: []].append("live at \(name)")
      case .deposed(let partition):
        state.counts.deposed += 1
        state.leave(partition, name, "\(name) deposed")
      case .released(let partition): state.leave(partition, name, "released by \(name)")
      case .wentBack(let partition):
        state.counts.wentBack[partition, default: 0] += 1
        state.leave(partition, name, "went back, as \(name) says")
      case .failed(let reason): state.counts.failures.append("\(name): \(reason)")
      case .stopped: break
      }
    }
  }
}
