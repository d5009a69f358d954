import RASPCommandServices
import RASPCommands
import RASPServices
import Streams
import TestSupport
import Testing

@Suite("An action as a command of an engine", .endsInTime)
struct ActionsAsCommandsTests {
  @Test("an action that is executed is sent, and handled when all services are done with it")
  func action() async throws {
    let engine = Engine()
    let journal = Log<IdentityAction>()
    let handled = Log<Int>()
    let cluster = try await Bootstrap { Noting(journal: journal) }
    try engine.use(IdentityAction.self, sendingTo: cluster)
    let token = engine.react(to: IdentityAction.self, consume: { _ in handled.note(journal.entries.count) })
    try await engine.execute(IdentityAction.login("Kim")).value
    #expect(journal.entries == [.login("Kim")])
    #expect(handled.entries == [1])
    withExtendedLifetime(token) {}
  }

  @Test("an action is made of a command; what making it throws fails the execution")
  func mapped() async throws {
    let engine = Engine()
    let journal = Log<IdentityAction>()
    let cluster = try await Bootstrap { Noting(journal: journal) }
    try engine.use(Logout.self, sendingTo: cluster) { _ in IdentityAction.logout }
    try await engine.execute(Logout()).value
    #expect(journal.entries == [.logout])

    try engine.use(Logout.self, replacing: true, sendingTo: cluster) { _ in throw TestError() }
    await #expect(throws: TestError()) { try await engine.execute(Logout()).value }
    #expect(journal.entries == [.logout])
  }

  @Test("the engine's middleware stands in front of the cluster")
  func middleware() async throws {
    let engine = Engine()
    let journal = Log<IdentityAction>()
    let cluster = try await Bootstrap { Noting(journal: journal) }
    try engine.use(IdentityAction.self, sendingTo: cluster)
    engine.add(ClosureMiddleware<any Command>.abort { $0 is IdentityAction })
    await #expect(throws: EngineError.stopped(IdentityAction.self)) {
      try await engine.execute(IdentityAction.logout).value
    }
    #expect(journal.entries.isEmpty)
  }

  @Test("a service that throws fails the execution, and the reactions and the error handler hear of it")
  func serviceFails() async throws {
    let engine = Engine()
    let errors = Log<String>()
    engine.errorHandler = { errors.note("handler \($0)") }
    let cluster = try await Bootstrap {
      EmptyService().pre(action: IdentityAction.self) { _ in throw TestError() }
    }
    try engine.use(IdentityAction.self, sendingTo: cluster)
    let token = engine.react(to: IdentityAction.self, rescue: { errors.note("reaction \($0)") })
    await #expect(throws: TestError()) { try await engine.execute(IdentityAction.logout).value }
    #expect(errors.entries == ["reaction TestError(code: 0)", "handler TestError(code: 0)"])
    withExtendedLifetime(token) {}
  }

  @Test("cancelling the execution cancels the send")
  func cancellation() async throws {
    let engine = Engine()
    let (started, start) = AsyncStream.makeStream(of: Void.self)
    let ended = Log<String>()
    let cluster = try await Bootstrap {
      EmptyService().pre(action: IdentityAction.self) { _ in
        start.yield()
        defer { ended.note("cancelled \(Task.isCancelled)") }
        try await untilCancelled()
      }
    }
    try engine.use(IdentityAction.self, sendingTo: cluster)
    let execution = engine.execute(IdentityAction.logout)
    for await _ in started { break }
    #expect(execution.cancel())
    #expect(await failure { try await execution.value } is CancellationError)
    await cluster.shutdown()
    #expect(ended.entries == ["cancelled true"])
  }

  @Test("a second handler is refused, unless it is to replace the first")
  func duplicates() async throws {
    let engine = Engine()
    let cluster = try await Bootstrap { Noting(journal: Log<IdentityAction>()) }
    try engine.use(IdentityAction.self, sendingTo: cluster)
    #expect(throws: EngineError.duplicateHandler(IdentityAction.self)) {
      try engine.use(IdentityAction.self, sendingTo: cluster)
    }
    try engine.use(IdentityAction.self, replacing: true, sendingTo: cluster)
  }

  @Test("the engine does not keep the cluster, and says so when it is gone")
  func released() async throws {
    let engine = Engine()
    weak var gone: Cluster?
    do {
      let cluster = try await Bootstrap { Noting(journal: Log<IdentityAction>()) }
      gone = cluster
      try engine.use(IdentityAction.self, sendingTo: cluster)
      try engine.use(Logout.self, sendingTo: cluster) { _ in IdentityAction.logout }
      try await engine.execute(Logout()).value
    }
    #expect(gone == nil)
    await #expect(throws: ClusterError.released) { try await engine.execute(IdentityAction.logout).value }
    await #expect(throws: ClusterError.released) { try await engine.execute(Logout()).value }
  }

  /// Registers its command while the tree starts.
  private struct IdentityService: Service {
    @Environment(\.send) private var send
    let engine: Engine
    let journal: Log<IdentityAction>
    let handlers = SubscriptionBag()

    var body: some Service {
      Noting(journal: journal)
        .bootstrap {
          let identity = try engine.use(IdentityAction.self, sendingWith: send)
          let logout = try engine.use(Logout.self, sendingWith: send) { _ in IdentityAction.logout }
          for handler in [identity, logout] { handlers.insert(Subscription { handler.cancel() }) }
        }
        .teardown { handlers.cancel() }
    }
  }

  @Test("a service registers its commands with the send of its environment, which a test replaces")
  func insideTheTree() async throws {
    let journal = Log<IdentityAction>()
    let engine = Engine()
    let cluster = try await Bootstrap { IdentityService(engine: engine, journal: journal) }
    try await engine.execute(IdentityAction.login("Kim")).value
    try await engine.execute(Logout()).value
    #expect(journal.entries == [.login("Kim"), .logout])

    let other = Engine()
    let sent = Log<String>()
    let recording = try await Bootstrap {
      IdentityService(engine: other, journal: journal).environment(\.send) { sent.note("\($0)") }
    }
    try await other.execute(Logout()).value
    #expect(sent.entries == ["logout"])
    #expect(journal.entries.count == 2)
    withExtendedLifetime((cluster, recording)) {}
  }

  @Test("a service takes its handlers along when its tree goes, and the next tree finds the engine free")
  func oneTreeAfterAnother() async throws {
    let engine = Engine()
    for _ in 0..<3 {
      let journal = Log<IdentityAction>()
      let cluster = try await Bootstrap { IdentityService(engine: engine, journal: journal) }
      try await engine.execute(Logout()).value
      await cluster.shutdown()
      #expect(journal.entries == [.logout])
      await #expect(throws: EngineError.noHandler(Logout.self)) { try await engine.execute(Logout()).value }
    }
  }

  @Test("a result of its own: the handler sends, and says what came of it")
  func output() async throws {
    struct Login: Command {
      typealias Output = Int
      var name: String
    }
    let engine = Engine()
    let journal = Log<IdentityAction>()
    let cluster = try await Bootstrap { Noting(journal: journal) }
    try engine.use(Login.self) { [weak cluster] login, _ in
      try await cluster?.send(action: IdentityAction.login(login.name))
      return journal.entries.count
    }
    #expect(try await engine.execute(Login(name: "Kim")).value == 1)
  }
}
