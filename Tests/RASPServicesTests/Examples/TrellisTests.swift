import Aggregate
import RASPServices
import RASPServicesTesting
import RASPTesting
import Streams
import TestSupport
import Testing

/// What a user of Trellis finds here under the names that they know.
@Suite("For users of Trellis", .endsInTime)
struct TrellisTests {
  @Test("SVC-16: a handler needs no model, and may send")
  func handlerWithoutModel() async throws {
    let log = Log<String>()
    let cluster = try await Bootstrap {
      On(AccountAction.self) { action, send in
        log.note("\(action)")
        if action == .login { try await send(ArticleAction.load) }
      }
      On(ArticleAction.self) { action, _ in log.note("\(action)") }
    }
    try await cluster.send(action: AccountAction.login)
    #expect(log.entries == ["login", "load"])
    #expect(cluster.description.contains("On(AccountAction): AccountAction"))
  }

  @Test("SVC-07: the modifiers around an emitter take part, and what services send in answer reaches the whole cluster")
  func scopedEmitter() async throws {
    let (log, sent) = (Log<String>(), ActionRecorder())
    let cluster = try await Bootstrap {
      Group {
        On(AccountAction.self) { action, send in
          log.note("under \(action)")
          if action == .logout { throw Broken.first }
          try await send(ArticleAction.load)
        }
        .emit(using: Observable([AccountAction.login, .logout]), consumeAtBootstrap: true)
        On(AccountAction.self) { action, _ in log.note("beside \(action)") }
      }
      .serial()
      .transformError { _ in AccountAction.failed }
      .pre(action: AccountAction.login) { log.note("before login") }
      .recordingActions(in: sent)
      On(ArticleAction.self) { action, _ in log.note("elsewhere \(action)") }
    }
    #expect(
      log.entries == [
        "before login", "under login", "elsewhere load", "under logout", "under failed", "elsewhere load",
        "beside failed",
      ]
    )
    #expect(sent.actions(of: AccountAction.self) == [.login, .logout, .failed])
    withExtendedLifetime(cluster) {}
  }

  @Test("SVC-05: the next sibling gets the action once the error has become one that all services have handled")
  func serialAfterError() async throws {
    let log = Log<String>()
    func service(_ name: String) -> some Service {
      On(AccountAction.self) { action, _ in
        log.note("\(name) \(action)")
        if name == "first", action == .login { throw Broken.first }
      }
    }
    let cluster = try await Bootstrap {
      Group {
        service("first")
        service("second")
      }
      .serial()
      .transformError { _ in AccountAction.failed }
    }
    try await cluster.send(action: AccountAction.login)
    #expect(log.entries == ["first login", "first failed", "second failed", "second login"])
  }

  @Test("SVC-05: a group that stops at errors does not give the action to the later siblings")
  func stoppingAtErrors() async throws {
    let log = Log<String>()
    let cluster = try await Bootstrap {
      Group {
        Failing(error: .first, action: .login)
        Recording(name: "second", log: log)
      }
      .serial(stoppingAtErrors: true)
      .transformError { _ in AccountAction.failed }
    }
    try await cluster.send(action: AccountAction.login)
    #expect(log.entries == ["second failed"])
  }

  @Test("SVC-18: a state that is an object is shown to watchers after every action, also if it is Equatable")
  func objectState() async throws {
    final class Shelf: Sendable, Equatable {
      let books = Log<Int>()
      static func == (lhs: Shelf, rhs: Shelf) -> Bool { lhs === rhs }
    }
    let log = Log<Int>()
    let cluster = try await Bootstrap {
      Reducer(state: Shelf()) { (shelf: inout Shelf, _: AccountAction) in
        shelf.books.note(1)
        return nil
      }
      .watch(Shelf.self) { log.note($0.books.count) }
    }
    for _ in 0..<3 { try await cluster.send(action: AccountAction.login) }
    #expect(log.entries == [0, 1, 2, 3])
  }

  @Test("SVC-19: a reducer may belong to the main actor, and to an actor of one's own")
  func isolatedReducers() async throws {
    actor Warehouse {
      var stock = 3
      func take() -> Int {
        stock -= 1
        return stock
      }
    }
    let (warehouse, log) = (Warehouse(), Log<Int>())
    let cluster = try await Bootstrap {
      Reducer(state: 0, on: .shared) { (state: inout Int, _: AccountAction) in
        MainActor.assertIsolated()
        state += 1
        return nil
      }
      .watch(Int.self) { log.note($0) }
      Reducer(state: Numbers(), context: (), on: warehouse) {
        (warehouse: isolated Warehouse, numbers: inout Numbers, _: ArticleAction) in
        numbers.values.append(warehouse.take())
        return { [numbers] _, _ in for value in numbers.values { log.note(value) } }
      }
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<50 { group.addTask { try await cluster.send(action: AccountAction.login) } }
      try await group.waitForAll()
    }
    #expect(log.entries == Array(0...50))
    try await cluster.send(action: ArticleAction.load)
    #expect(log.last == 2)
    #expect(await warehouse.stock == 2)
  }

  @Test("SVC-19: the mutations of a store may belong to the main actor, with and without a word in the closure")
  func isolatedStore() async throws {
    @MainActor final class Screen {
      var titles: [String] = []
      nonisolated init() {}
    }
    let screen = Screen()
    let cluster = try await Bootstrap {
      Store(model: Numbers.self, on: MainActor.shared)
        .mutate(on: Add.self) { numbers, action, _ in
          MainActor.assertIsolated()
          await Task.yield()
          MainActor.assertIsolated()
          numbers.values.append(action.value)
        }
        .mutate(on: AccountAction.self) { @MainActor numbers, action, _ in screen.titles.append("\(action)") }
        .with(model: Numbers())
      Store(model: Screen.self, on: MainActor.shared)
        .mutate(on: ArticleAction.self) { @MainActor screen, action, _ in screen.titles.append("\(action)") }
        .with(model: screen)
    }
    try await cluster.send(action: Add(value: 1))
    try await cluster.send(action: AccountAction.login)
    try await cluster.send(action: ArticleAction.load)
    #expect(await screen.titles == ["login", "load"])
  }

  @Test(
    "SVC-20: a handler without async has run when send returns, and did not leave the task or the thread of the sender"
  )
  func synchronousHandler() async throws {
    let log = Log<Int?>()
    let cluster = try await Bootstrap {
      Store(model: Numbers.self)
        .mutate(on: Add.self) { numbers, action, _ in
          numbers.values.append(action.value)
          log.note(currentTask())
        }
        .mutate(on: ArticleAction.self) { numbers, _ in
          numbers.values.append(2)
          log.note(currentTask())
        }
        .mutate(on: Read.self) { numbers, action in action.log.note(numbers.values) }
        .with(model: Numbers())
    }
    try await cluster.send(action: Add(value: 1))
    try await cluster.send(action: ArticleAction.load)
    #expect(log.entries == [currentTask(), currentTask()])
    #expect(try await cluster.numbers() == [1, 2])
  }

  @Test("an object of the environment is found by the type of the property, and is nil where there is none")
  func environmentObject() async throws {
    final class Analytics: Sendable { let log = Log<String>() }
    struct Noting: Service {
      @EnvironmentObject private var analytics: Analytics?
      let missing: Log<String>

      var body: some Service {
        On(AccountAction.self) { action, _ in
          if let analytics { analytics.log.note("\(action)") } else { missing.note("\(action)") }
        }
      }
    }
    let (analytics, missing, problems) = (Analytics(), Log<String>(), Log<String>())
    let cluster = try await Bootstrap(diagnostics: { problems.note("\($0)") }) {
      Group {
        Noting(missing: missing).environmentObject(analytics)
        Noting(missing: missing)
      }
      .serial()
    }
    try await cluster.send(action: AccountAction.login)
    #expect(analytics.log.entries == ["login"])
    #expect(missing.entries == ["login"])
    #expect(problems.count == 1)
    #expect(problems.entries.first?.contains("asks for an object of type Analytics") == true)
  }
}
