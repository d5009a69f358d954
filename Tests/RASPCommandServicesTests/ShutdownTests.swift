import RASPCommandServices
import RASPCommands
import RASPPrimitives
import RASPServices
import Streams
import TestSupport
import Testing

@Suite("A cluster that is shut down while commands are under way", .endsInTime)
struct ShutdownTests {
  @Test("it waits for a command that a store executes, which may send until it is over; later ones are refused")
  func underWay() async throws {
    let engine = Engine()
    let shelf = Log<ShelfAction>()
    let (started, gate) = (Latch(), Latch())
    let cluster = try await Bootstrap {
      Store(model: Engine.self)
        .execute(BookList.self) { ShelfAction.fill($0) }
        .with(model: engine)
      Noting(journal: shelf)
    }
    try engine.use(Logout.self, sendingTo: cluster) { _ in ShelfAction.failed("logged out") }
    try engine.use(BookList.self) { _, publish in
      started.open()
      await gate.wait()
      try await publish.engine.execute(Logout()).value
      return ["Momo"]
    }
    let sender = Task { try await cluster.send(action: BookList()) }
    await started.wait()
    let hasEnded = Lock(false)
    let shutdown = Task {
      await cluster.shutdown()
      hasEnded.withLock { $0 = true }
    }
    // Refused from outside as soon as the shutdown has begun.
    #expect(await eventually { await failure(of: { try await engine.execute(Logout()).value }) != nil })
    await #expect(throws: ClusterError.shutDown) { try await engine.execute(Logout()).value }
    #expect(!hasEnded.withLock { $0 })
    let before = shelf.entries.count
    gate.open()
    try await sender.value
    await shutdown.value
    #expect(shelf.entries.dropFirst(before) == [.failed("logged out"), .fill(["Momo"])])
    await #expect(throws: ClusterError.shutDown) { try await cluster.send(action: BookList()) }
  }

  @Test("a command may shut down the cluster that executes it")
  func fromInside() async throws {
    let engine = Engine()
    let ended = Log<String>()
    let cluster = try await Bootstrap {
      Store(model: Engine.self).execute(BookList.self).with(model: engine)
      EmptyService().teardown { ended.note("teardown") }
    }
    try engine.use(BookList.self) { [weak cluster] _, _ in
      await cluster?.shutdown()
      ended.note("handled")
      return []
    }
    try await cluster.send(action: BookList())
    await cluster.shutdown()
    #expect(ended.entries == ["handled", "teardown"])
  }

  @Test("an engine that is invalidated while a store waits for it lets the command finish, and the next one fails")
  func invalidated() async throws {
    let engine = Engine()
    let shelf = Log<ShelfAction>()
    let (started, gate) = (Latch(), Latch())
    let cluster = try await Bootstrap {
      Store(model: Engine.self).execute(BookList.self) { ShelfAction.fill($0) }.with(model: engine)
      Noting(journal: shelf)
    }
    try engine.use(BookList.self) { _, _ in
      started.open()
      await gate.wait()
      return ["Momo"]
    }
    let sender = Task { try await cluster.send(action: BookList()) }
    await started.wait()
    engine.invalidate()
    gate.open()
    try await sender.value
    #expect(shelf.entries == [.fill(["Momo"])])
    await #expect(throws: EngineError.noHandler(BookList.self)) { try await cluster.send(action: BookList()) }
  }
}
