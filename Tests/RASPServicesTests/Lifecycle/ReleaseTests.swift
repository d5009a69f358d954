import RASPServices
import RASPTesting
import Streams
import TestSupport
import Testing

private struct OwnerKey: EnvironmentKey {
  static let defaultValue: LifetimeTracker.Object? = nil
}

extension EnvironmentValues {
  fileprivate var owner: LifetimeTracker.Object? {
    get { self[OwnerKey.self] }
    set { self[OwnerKey.self] = newValue }
  }
}

private struct Owning: Service {
  @Environment(\.owner) private var owner
  @Environment(\.send) private var send
  let object: LifetimeTracker.Object

  var body: some Service {
    Store(model: Numbers.self)
      .mutate(on: Add.self) { model, action, send in
        model.values.append(action.value)
        if action.value > 0 { try await send(Add(value: -action.value)) }
        withExtendedLifetime(owner) {}
      }
    EmptyService().pre(action: AccountAction.login) {
      withExtendedLifetime(object) {}
      try await send(AccountAction.logout)
    }
    Reducer(state: 0) { (state: inout Int, _: AccountAction) in
      state += 1
      return { _, _ in withExtendedLifetime(object) {} }
    }
  }
}

private struct Tick: Action {
  let number: Int
  let object: LifetimeTracker.Object
}

@Suite("Releasing a cluster", .endsInTime)
struct ReleaseTests {
  private func makeCluster(_ tracker: LifetimeTracker) async throws -> Cluster {
    try await Bootstrap {
      Group {
        Owning(object: tracker.make())
          .with(model: Numbers())
          .watch(Int.self) { [object = tracker.make()] _ in withExtendedLifetime(object) {} }
        Owning(object: tracker.make()).with(model: Numbers())
      }
      .environment(\.owner, tracker.make())
      .environmentObject(tracker.make())
      .transformError { [object = tracker.make()] _ in
        withExtendedLifetime(object) { AccountAction.failed }
      }
      .emit(using: Observable<Int, Never>.interval(.seconds(3600)).map { Add(value: $0) })
    }
  }

  @Test("no cluster leaks, and clusters can be built, used and released at once from many tasks")
  func noGlobalTable() async throws {
    let tracker = LifetimeTracker()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask {
          for _ in 0..<25 {
            let cluster = try await makeCluster(tracker)
            async let first: Void = cluster.send(action: AccountAction.login)
            async let second: Void = cluster.send(action: Add(value: 1))
            _ = try await (first, second)
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(await eventually { tracker.liveCount == 0 })
  }

  @Test("a send that a service has kept does not keep the cluster, and says that it has gone")
  func released() async throws {
    let tracker = LifetimeTracker()
    let kept = Log<Send>()
    var cluster: Cluster? = try await Bootstrap { [object = tracker.make()] in
      Store(model: LifetimeTracker.Object.self)
        .mutate(on: AccountAction.self) { _, _, send in kept.note(send) }
        .with(model: object)
        .environmentObject(object)
    }
    try await cluster?.send(action: AccountAction.login)
    cluster = nil
    #expect(tracker.liveCount == 0)
    await #expect(throws: ClusterError.released) { try await kept.entries[0](AccountAction.login) }
    #expect(cluster == nil)
  }

  @Test("tasks that send for ever, each from a handler of the one before, keep nothing of what is over")
  func endlessTasks() async throws {
    struct Ticking: Service {
      @Environment(\.send) private var send
      let tracker: LifetimeTracker
      let peak: Log<Int>
      let done: Latch

      var body: some Service {
        EmptyService().pre(action: Tick.self) { tick in
          peak.note(tracker.liveCount)
          guard tick.number < 1000 else { return done.open() }
          Task { try await send(Tick(number: tick.number + 1, object: tracker.make())) }
        }
      }
    }
    let (tracker, peak, done) = (LifetimeTracker(), Log<Int>(), Latch())
    let cluster = try await Bootstrap { Ticking(tracker: tracker, peak: peak, done: done) }
    try await cluster.send(action: Tick(number: 1, object: tracker.make()))
    await done.wait()
    #expect(peak.entries.allSatisfy { $0 < 20 })
    withExtendedLifetime(cluster) {}
  }
}
