import RASPServices
import Streams
import TestSupport
import Testing

@Suite("Models that are objects", .endsInTime)
struct ObjectModelTests {
  @Test("an actor works unchanged, and waits for what it sends")
  func actorModel() async throws {
    actor Counter {
      var count = 0
      func add() { count += 1 }
    }
    let (counter, log) = (Counter(), Log<String>())
    let cluster = try await Bootstrap {
      Store(model: Counter.self)
        .mutate(on: AccountAction.self) { model, action, send in
          await model.add()
          if action == .login { try await send(AccountAction.logout) }
          log.note("\(action)")
        }
        .with(model: counter)
    }
    try await cluster.send(action: AccountAction.login)
    #expect(await counter.count == 2)
    #expect(log.entries == ["logout", "login"])
  }

  @Test("mutations of an object run side by side, also behind a protocol, and may put another in its place")
  func objectModel() async throws {
    let (first, second, log) = (Latch(), Latch(), Log<String>())
    let (old, new) = (Named("old"), Named("new"))
    let cluster = try await Bootstrap {
      Store(model: (any HasName).self)
        .mutate(on: AccountAction.self) { model, action, _ in
          switch action {
          case .login:
            first.open()
            await second.wait()
          case .logout:
            await first.wait()
            second.open()
          case .failed:
            log.note(model.name)
            model = new
          }
        }
        .with(model: old as any HasName)
    }
    async let waiting: Void = cluster.send(action: AccountAction.login)
    try await cluster.send(action: AccountAction.logout)
    try await waiting
    try await cluster.send(action: AccountAction.failed)
    try await cluster.send(action: AccountAction.failed)
    #expect(log.entries == ["old", "new"])
  }

  @Test("an object behind a protocol that a mutation replaces by a value loses no mutation of that value")
  func objectBecomesValue() async throws {
    let log = Log<String>()
    let cluster = try await Bootstrap {
      Store(model: (any HasName).self)
        .mutate(on: AccountAction.self) { model, _, _ in model = NamedValue(name: "") }
        .mutate(on: Add.self) { model, _, _ in
          let before = model.name
          await Task.yield()
          model = NamedValue(name: before + "x")
        }
        .mutate(on: ArticleAction.self) { model, _, _ in log.note(model.name) }
        .with(model: Named("object") as any HasName)
    }
    try await cluster.send(action: AccountAction.login)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for value in 0..<200 { group.addTask { try await cluster.send(action: Add(value: value)) } }
      try await group.waitForAll()
    }
    try await cluster.send(action: ArticleAction.load)
    #expect(log.entries.map(\.count) == [200])
  }
}

protocol HasName: Sendable {
  var name: String { get }
}

final class Named: HasName {
  let name: String
  init(_ name: String) { self.name = name }
}

private struct NamedValue: HasName {
  let name: String
}
