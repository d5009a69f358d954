import RASPServices
import RASPTesting
import Streams
import TestSupport
import Testing

/// Effects that begin and end when the test says so.
private final class Effects: Sendable {
  let begun = Log<Int>()
  let ended = Log<String>()
  private let ends = Lock<[Int: Latch]>([:])

  func end(_ number: Int) {
    latch(number).open()
  }

  func run(_ number: Int) async throws {
    begun.note(number)
    let latch = latch(number)
    await withTaskCancellationHandler {
      await latch.wait()
    } onCancel: {
      latch.open()
    }
    ended.note(Task.isCancelled ? "\(number) cancelled" : "\(number)")
    try Task.checkCancellation()
  }

  private func latch(_ number: Int) -> Latch {
    ends.withLock { ends in
      let latch = ends[number] ?? Latch()
      ends[number] = latch
      return latch
    }
  }
}

@Suite("Effects that overlap", .endsInTime)
struct OverlapTests {
  private func cluster(_ policy: OverlapPolicy, _ effects: Effects, inReducer: Bool) async throws -> Cluster {
    try await Bootstrap {
      if inReducer {
        Reducer(state: 0, context: effects) { (state: inout Int, action: Add) in
          state += 1
          return { _, effects in try await effects.run(action.value) }
        }
        .overlapping(policy)
        .transformError { _ in AccountAction.failed }
      } else {
        On(Add.self) { action, _ in try await effects.run(action.value) }
          .overlapping(policy)
          .transformError { _ in AccountAction.failed }
      }
      On(AccountAction.self) { _, _ in Issue.record("the cancellation of an effect is no error to be transformed") }
    }
  }

  @Test("SVC-23: side by side, all effects run", arguments: [false, true])
  func concurrent(inReducer: Bool) async throws {
    let effects = Effects()
    let cluster = try await cluster(.concurrent, effects, inReducer: inReducer)
    async let first: Void = cluster.send(action: Add(value: 1))
    async let second: Void = cluster.send(action: Add(value: 2))
    #expect(await eventually { effects.begun.count == 2 })
    effects.end(1)
    effects.end(2)
    _ = try await (first, second)
  }

  @Test(
    "SVC-23: of the newest only, the one before is cancelled, and its send throws CancellationError",
    arguments: [false, true]
  )
  func newest(inReducer: Bool) async throws {
    let effects = Effects()
    let cluster = try await cluster(.newest, effects, inReducer: inReducer)
    let first = Task { try await cluster.send(action: Add(value: 1)) }
    #expect(await eventually { effects.begun.count == 1 })
    let second = Task { try await cluster.send(action: Add(value: 2)) }
    await #expect(throws: CancellationError.self) { try await first.value }
    #expect(await eventually { effects.begun.count == 2 })
    effects.end(2)
    try await second.value
    #expect(effects.ended.entries == ["1 cancelled", "2"])
  }

  @Test("SVC-23: of the first only, a later one is dropped, and its send returns", arguments: [false, true])
  func first(inReducer: Bool) async throws {
    let effects = Effects()
    let cluster = try await cluster(.first, effects, inReducer: inReducer)
    let first = Task { try await cluster.send(action: Add(value: 1)) }
    #expect(await eventually { effects.begun.count == 1 })
    try await cluster.send(action: Add(value: 2))
    effects.end(1)
    try await first.value
    effects.end(3)
    try await cluster.send(action: Add(value: 3))
    #expect(effects.ended.entries == ["1", "3"])
  }

  @Test("SVC-23: one after the other, one that is cancelled while it waits is passed over", arguments: [false, true])
  func serial(inReducer: Bool) async throws {
    let effects = Effects()
    let cluster = try await cluster(.serial, effects, inReducer: inReducer)
    let first = Task { try await cluster.send(action: Add(value: 1)) }
    #expect(await eventually { effects.begun.count == 1 })
    let second = Task { try await cluster.send(action: Add(value: 2)) }
    second.cancel()
    await #expect(throws: CancellationError.self) { try await second.value }
    let third = Task { try await cluster.send(action: Add(value: 3)) }
    effects.end(3)
    effects.end(1)
    try await first.value
    try await third.value
    #expect(effects.ended.entries == ["1", "3"])
  }

  @Test("SVC-23: an effect that sends to its own service does not wait for itself", arguments: OverlapPolicy.allCases)
  func sendingToItself(policy: OverlapPolicy) async throws {
    let log = Log<Int>()
    let cluster = try await Bootstrap {
      On(Add.self) { action, send in
        log.note(action.value)
        if action.value > 0 { try await send(Add(value: action.value - 1)) }
      }
      .overlapping(policy)
    }
    try await cluster.send(action: Add(value: 3))
    try await cluster.send(action: Add(value: 1))
    #expect(log.entries == [3, 2, 1, 0, 1, 0])
  }

  @Test("SVC-24: an effect that takes too long is cancelled, and its send throws, also if it goes on all the same")
  func timeLimit() async throws {
    let (time, release, begun, log) = (VirtualScheduler(), Latch(), Latch(), Log<String>())
    let cluster = try await Bootstrap {
      On(AccountAction.self) { _, _ in
        begun.open()
        await release.wait()
        log.note(Task.isCancelled ? "cancelled" : "done")
      }
      .timeLimit(.seconds(5), on: time)
    }
    let sending = Task { try await cluster.send(action: AccountAction.login) }
    await begun.wait()
    #expect(await eventually { time.pending.count == 1 })
    time.advance(by: .seconds(5))
    await #expect(throws: EffectTimeoutError.self) { try await sending.value }
    release.open()
    #expect(await eventually { log.entries == ["cancelled"] })
    // One that is done in time leaves no timer.
    try await cluster.send(action: AccountAction.login)
    #expect(await eventually { time.pending.isEmpty })
  }

  @Test("SVC-23: random sends and cancellations keep the rule of each policy", arguments: OverlapPolicy.allCases)
  func randomPrograms(policy: OverlapPolicy) async throws {
    for seed in 0..<rounds(500) {
      var random = SplitMix(seed: UInt64(seed))
      let (running, peak, completed, returned) = (Counter(), Log<Int>(), Log<Int>(), Log<Int>())
      let cluster = try await Bootstrap {
        On(Add.self) { action, _ in
          peak.note(running.increment())
          defer { running.decrement() }
          for _ in 0..<action.value % 5 { await Task.yield() }
          try Task.checkCancellation()
          completed.note(action.value)
        }
        .overlapping(policy)
      }
      let cancelled = (0..<20).map { _ in Int.random(in: 0..<4, using: &random) == 0 }
      await withTaskGroup(of: Void.self) { group in
        for (value, isCancelled) in cancelled.enumerated() {
          group.addTask {
            let sending = Task { try await cluster.send(action: Add(value: value)) }
            if isCancelled { sending.cancel() }
            do {
              try await sending.value
              returned.note(value)
            } catch {
              #expect(error is CancellationError)
            }
          }
        }
      }
      #expect(running.value == 0)
      #expect(Set(completed.entries).count == completed.count)
      switch policy {
      case .concurrent: #expect(Set(returned.entries).isSuperset(of: cancelled.indices.filter { !cancelled[$0] }))
      case .newest: #expect(Set(completed.entries).isSuperset(of: returned.entries))
      case .first: #expect(peak.entries.allSatisfy { $0 == 1 })
      case .serial:
        #expect(peak.entries.allSatisfy { $0 == 1 })
        #expect(Set(completed.entries).isSuperset(of: cancelled.indices.filter { !cancelled[$0] }))
      }
    }
  }
}
