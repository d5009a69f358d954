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

/// What was shown to go wrong in Trellis by running it, and goes right here.
@Suite("What Trellis gets wrong", .timeLimit(.minutes(10)))
struct TrellisFaultsTests {
  private func makeCluster(_ tracker: LifetimeTracker) async throws -> Cluster {
    try await Bootstrap {
      Group {
        Owning(object: tracker.make())
          .with(model: Numbers())
          .watch(Int.self) { [object = tracker.make()] _ in withExtendedLifetime(object) {} }
        Owning(object: tracker.make()).with(model: Numbers())
      }
      .environment(\.owner, value: tracker.make())
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
    await until { tracker.liveCount == 0 }
  }

  @Test("siblings of one type keep their models, environments and orders apart")
  func identity() async throws {
    let (left, right) = (Log<[Int]>(), Log<[Int]>())
    struct Numbering: Service {
      let log: Log<[Int]>
      var body: some Service {
        Store(model: Numbers.self)
          .mutate(on: Add.self) { model, action, _ in
            model.values.append(action.value)
            log.note(model.values)
          }
      }
    }
    let cluster = try await Bootstrap {
      Numbering(log: left).with(model: Numbers(values: [1])).serial()
      Numbering(log: right).with(model: Numbers(values: [2]))
    }
    try await cluster.send(action: Add(value: 3))
    #expect(left.entries == [[1, 3]])
    #expect(right.entries == [[2, 3]])
  }

  @Test("a mutation of a value is not dropped")
  func mutations() async throws {
    let cluster = try await Bootstrap { NumbersService().with(model: Numbers()) }
    try await cluster.send(action: Add(value: 1))
    #expect(try await cluster.numbers() == [1])
  }

  @Test("an emitter ends with its cluster, and goes on after an error")
  func emitters() async throws {
    let (subject, log, problems) = (Subject<AccountAction, Never>(), Log<String>(), Log<String>())
    let slot = Box<Cluster>()
    slot.value = try await Bootstrap(diagnostics: { problems.note("\($0)") }) {
      Group {
        Failing(error: .first, action: .failed)
        Recording(name: "a", log: log)
      }
      .emit(using: subject.observable)
    }
    subject.send(.failed)
    subject.send(.login)
    await until { log.entries.contains("a login") }
    #expect(problems.count == 1)
    slot.value = nil
    await until { subject.observerCount == 0 }
    subject.send(.login)
  }

  @Test("an error transform whose action throws again returns, with that error")
  func errorTransform() async throws {
    let cluster = try await Bootstrap {
      Group {
        Failing(error: .first, action: .login)
        Failing(error: .again, action: .failed)
      }
      .transformError { _ in AccountAction.failed }
    }
    await #expect(throws: Broken.again) { try await cluster.send(action: AccountAction.login) }
  }

  @Test("a condition that turns true after bootstrap changes nothing, and hurts nobody")
  func conditions() async throws {
    struct Conditional: Service {
      let condition: Box<Bool>
      let log: Log<String>
      var body: some Service {
        if condition.value == true { Recording(name: "hidden", log: log) } else { Recording(name: "shown", log: log) }
      }
    }
    let (condition, log) = (Box<Bool>(), Log<String>())
    let cluster = try await Bootstrap { Conditional(condition: condition, log: log) }
    condition.value = true
    try await cluster.send(action: AccountAction.login)
    #expect(log.entries == ["shown login"])
  }

  @Test("a store without its model does not pass over actions in silence")
  func missingModel() async throws {
    await #expect(throws: ServiceDiagnostic.self) { _ = try await Bootstrap { NumbersService() } }
    await #expect(throws: ServiceDiagnostic.self) {
      _ = try await Bootstrap { NumbersService().with(model: [1, 2, 3]) }
    }
  }

  @Test("watchers are not called when nothing has changed, and get the snapshot of their action")
  func watchers() async throws {
    struct Pair: Sendable, Equatable {
      var left = 0
      var right = 0
    }
    let log = Log<Pair>()
    let cluster = try await Bootstrap {
      Reducer(state: Pair()) { (state: inout Pair, action: ArticleAction) in
        if case .loaded(let number) = action {
          state.left = number
          state.right = number
        }
        return nil
      }
      .watch(Pair.self) { log.note($0) }
    }
    await withTaskGroup(of: Void.self) { group in
      for number in 1...200 {
        group.addTask { try? await cluster.send(action: ArticleAction.load) }
        group.addTask { try? await cluster.send(action: ArticleAction.loaded(number)) }
      }
    }
    #expect(log.count == 201)
    #expect(log.entries.allSatisfy { $0.left == $0.right })
    #expect(Set(log.entries.map(\.left)).count == 201)
  }
}
