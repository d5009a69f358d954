import RASPCommandServices
import RASPCommands
import RASPServices
import Streams
import TestSupport
import Testing

@Suite("A command as an action of a cluster", .endsInTime)
struct CommandsAsActionsTests {
  @Test(
    "a command that is sent is executed: its reactions hear of it, and its result is an action before the send returns"
  )
  func command() async throws {
    let engine = try Engine.library()
    let seen = Log<[String]>()
    let shelf = Log<ShelfAction>()
    let token = engine.react(to: BookList.self, consume: { seen.note($0) })
    let cluster = try await Bootstrap {
      Store(model: Engine.self)
        .execute(BookList.self) { books in ShelfAction.fill(books) }
        .with(model: engine)
      Noting(journal: shelf)
    }
    try await cluster.send(action: BookList())
    #expect(seen.entries == [["Momo", "Emma"]])
    #expect(shelf.entries == [.fill(["Momo", "Emma"])])
    withExtendedLifetime(token) {}
  }

  @Test("without a closure for the result, the reactions alone hear of it")
  func noResult() async throws {
    let engine = try Engine.library()
    let seen = Log<[String]>()
    let shelf = Log<ShelfAction>()
    let token = engine.react(to: BookList.self, consume: { seen.note($0) })
    let cluster = try await Bootstrap {
      Store(model: Engine.self).execute(BookList.self).with(model: engine)
      Noting(journal: shelf)
    }
    try await cluster.send(action: BookList())
    #expect(seen.entries.count == 1)
    #expect(shelf.entries.isEmpty)
    withExtendedLifetime(token) {}
  }

  @Test("a command is made of an action, or none is")
  func mapped() async throws {
    let shelf = Log<ShelfAction>()
    let engine = try Engine.library()
    let cluster = try await Bootstrap {
      Store(model: Engine.self)
        .execute(on: SearchAction.self) { action in
          action.words.isEmpty ? nil : BookSearch(words: action.words)
        } then: { books in
          ShelfAction.fill(books)
        }
        .with(model: engine)
      Noting(journal: shelf)
    }
    try await cluster.send(action: SearchAction(words: "time"))
    try await cluster.send(action: SearchAction(words: ""))
    #expect(shelf.entries == [.fill(["about time"])])
  }

  @Test("what the closure that makes a command throws is thrown by the send")
  func refused() async throws {
    let engine = try Engine.library()
    let cluster = try await Bootstrap {
      Store(model: Engine.self)
        .execute(on: SearchAction.self) { _ throws -> BookSearch? in throw TestError() }
        .with(model: engine)
    }
    await #expect(throws: TestError()) { try await cluster.send(action: SearchAction(words: "time")) }
  }

  @Test("a handler that throws makes the send throw, or an action if errors are transformed")
  func handlerFails() async throws {
    let engine = Engine()
    try engine.use(BookList.self) { _, _ in throw TestError() }
    let shelf = Log<ShelfAction>()
    let books = Store(model: Engine.self).execute(BookList.self)

    let plain = try await Bootstrap { books.with(model: engine) }
    await #expect(throws: TestError()) { try await plain.send(action: BookList()) }

    let transforming = try await Bootstrap {
      books.with(model: engine).transformError { ShelfAction.failed("\($0)") }
      Noting(journal: shelf)
    }
    try await transforming.send(action: BookList())
    #expect(shelf.entries == [.failed("TestError(code: 0)")])
  }

  @Test("a command without a handler, or one that a middleware stops, makes the send say so")
  func notHandled() async throws {
    let engine = Engine()
    let cluster = try await Bootstrap {
      Store(model: Engine.self).execute(BookList.self).with(model: engine)
    }
    await #expect(throws: EngineError.noHandler(BookList.self)) { try await cluster.send(action: BookList()) }

    try engine.use(BookList.self, synchronously: { _, _ in [] })
    engine.add(ClosureMiddleware<any Command>.abort { $0 is BookList })
    await #expect(throws: EngineError.stopped(BookList.self)) { try await cluster.send(action: BookList()) }
  }

  @Test("cancelling the task that sends cancels the execution")
  func cancellation() async throws {
    let engine = Engine()
    let (started, start) = AsyncStream.makeStream(of: Void.self)
    try engine.use(BookList.self) { _, _ in
      start.yield()
      try await untilCancelled()
      return []
    }
    let shelf = Log<ShelfAction>()
    let rescued = Log<String>()
    let token = engine.react(to: BookList.self, rescue: { rescued.note("\($0)") })
    let cluster = try await Bootstrap {
      Store(model: Engine.self).execute(BookList.self) { ShelfAction.fill($0) }.with(model: engine)
      Noting(journal: shelf)
    }
    let sender = Task { try await cluster.send(action: BookList()) }
    for await _ in started { break }
    sender.cancel()
    let error = await failure { try await sender.value }
    #expect(error is CancellationError)
    #expect(shelf.entries.isEmpty)
    // Told in a task of its own, once the execution has ended.
    #expect(await eventually { !rescued.entries.isEmpty })
    #expect(rescued.entries == ["CancellationError()"])
    withExtendedLifetime(token) {}
  }

  @Test("commands of one engine are executed side by side: one may wait for the next")
  func sideBySide() async throws {
    let engine = Engine()
    let (second, go) = AsyncStream.makeStream(of: Void.self)
    try engine.use(BookList.self) { _, _ in
      for await _ in second { break }
      return []
    }
    try engine.use(BookSearch.self) { _, _ in
      go.yield()
      return []
    }
    let cluster = try await Bootstrap {
      Store(model: Engine.self)
        .execute(BookList.self)
        .execute(on: SearchAction.self) { BookSearch(words: $0.words) }
        .with(model: engine)
    }
    async let first: Void = cluster.send(action: BookList())
    try await cluster.send(action: SearchAction(words: "time"))
    try await first
  }

  @Test("a tree may have several engines: a store executes on the nearest one")
  func severalEngines() async throws {
    let (outer, inner) = (Engine(), Engine())
    let seen = Log<String>()
    try outer.use(BookList.self, synchronously: { _, _ in ["outer"] })
    try inner.use(BookList.self, synchronously: { _, _ in ["inner"] })
    let store = Store(model: Engine.self).execute(BookList.self) { books in
      seen.note("\(books)")
      return nil
    }
    let cluster = try await Bootstrap {
      Group {
        store
        store.with(model: inner)
      }
      .serial()
      .with(model: outer)
    }
    try await cluster.send(action: BookList())
    #expect(seen.entries == [#"["outer"]"#, #"["inner"]"#])
  }

  @Test("without an engine the tree says what is missing")
  func missingEngine() async throws {
    let error = await failure {
      _ = try await Bootstrap { Store(model: Engine.self).execute(BookList.self) }
    }
    guard case .missingModel(let model, _, _)? = error as? ServiceDiagnostic else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(model == "Engine")
  }

  @Test("the tree tells what is executed")
  func description() async throws {
    let engine = try Engine.library()
    let cluster = try await Bootstrap {
      Store(model: Engine.self)
        .execute(BookList.self)
        .execute(on: SearchAction.self) { BookSearch(words: $0.words) }
        .with(model: engine)
    }
    #expect(cluster.description.contains("Store<Engine> [with(Engine)]: BookList, SearchAction"))
  }

  @Test("events and facts of the engine are actions through an emitter, and actions are posted as facts by an observer")
  func streams() async throws {
    struct LoginFact: Fact, Action, Equatable { var name: String }
    struct PurchaseFact: Fact, Action, Equatable { var title: String }

    let engine = Engine()
    try engine.use(BookList.self) { _, publish in
      publish(data: ["Momo"])
      return ["Momo", "Emma"]
    }
    let (arrived, arrival) = AsyncStream.makeStream(of: String.self)
    let cluster = try await Bootstrap {
      EmptyService()
        .observe(on: ShelfAction.self) { arrival.yield("\($0)") }
        .observe(on: LoginFact.self) { arrival.yield("\($0.name)") }
        .emit(using: engine.events(of: BookList.self).compactMap(\.output).map(ShelfAction.fill))
        .emit(using: engine.facts(of: LoginFact.self))
        .observe(on: PurchaseFact.self) { engine.post($0) }
    }
    var news = arrived.makeAsyncIterator()
    engine.execute(BookList())
    #expect(await news.next() == #"fill(["Momo"])"#)
    #expect(await news.next() == #"fill(["Momo", "Emma"])"#)
    engine.post(LoginFact(name: "Kim"))
    #expect(await news.next() == "Kim")

    let bought = Log<PurchaseFact>()
    let token = engine.react(toFact: PurchaseFact.self) { bought.note($0) }
    try await cluster.send(action: PurchaseFact(title: "Momo"))
    #expect(bought.entries == [PurchaseFact(title: "Momo")])
    withExtendedLifetime(token) {}
  }
}
