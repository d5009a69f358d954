import RASPServices
import TestSupport
import Testing

@Suite("pre, post and observe", .endsInTime)
struct PrePostTests {
  @Test("SVC-15: pre runs before and post after everything below it, nested from outside in and back")
  func order() async throws {
    let log = Log<String>()
    let cluster = try await Bootstrap {
      Group {
        for name in ["a", "b"] {
          EmptyService().pre(action: AccountAction.self) { _ in
            for _ in 0..<5 { await Task.yield() }
            log.note(name)
          }
        }
      }
      .pre(action: AccountAction.self) { _ in log.note("inner pre") }
      .post(action: AccountAction.self) { _ in log.note("inner post") }
      .pre { _ in log.note("outer pre") }
      .post { _ in log.note("outer post") }
    }
    try await cluster.send(action: AccountAction.login)
    #expect(log.entries.prefix(2) == ["outer pre", "inner pre"])
    #expect(Set(log.entries.dropFirst(2).prefix(2)) == ["a", "b"])
    #expect(log.entries.suffix(2) == ["inner post", "outer post"])
  }

  @Test("SVC-15: a throw in pre skips the service, and post")
  func throwingPre() async throws {
    let log = Log<String>()
    let cluster = try await Bootstrap {
      Recording(name: "service", log: log)
        .pre(action: AccountAction.login) { throw Broken.first }
        .post(action: AccountAction.self) { log.note("post \($0)") }
    }
    await #expect(throws: Broken.first) { try await cluster.send(action: AccountAction.login) }
    try await cluster.send(action: AccountAction.logout)
    #expect(log.entries == ["service logout", "post logout"])
  }

  @Test("SVC-15: a throw below skips post")
  func throwingBelow() async throws {
    let log = Log<String>()
    let cluster = try await Bootstrap {
      Failing(error: .first, action: .login).post { _ in log.note("post") }
    }
    await #expect(throws: Broken.first) { try await cluster.send(action: AccountAction.login) }
    #expect(log.count == 0)
  }

  @Test("SVC-15: a value matches by equality, a type every case, and neither everything")
  func matching() async throws {
    let log = Log<String>()
    let cluster = try await Bootstrap {
      EmptyService()
        .pre(action: ArticleAction.loaded(1)) { log.note("pre value") }
        .pre(action: ArticleAction.self) { log.note("pre type \($0)") }
        .pre { log.note("pre all \($0)") }
        .post(action: ArticleAction.loaded(1)) { log.note("post value") }
        .post(action: ArticleAction.self) { log.note("post type \($0)") }
        .post { log.note("post all \($0)") }
    }
    try await cluster.send(action: ArticleAction.loaded(1))
    #expect(
      log.entries == [
        "pre all loaded(1)", "pre type loaded(1)", "pre value",
        "post value", "post type loaded(1)", "post all loaded(1)",
      ]
    )
    try await cluster.send(action: ArticleAction.loaded(2))
    #expect(
      log.entries.dropFirst(6) == [
        "pre all loaded(2)", "pre type loaded(2)", "post type loaded(2)", "post all loaded(2)",
      ]
    )
    try await cluster.send(action: AccountAction.login)
    #expect(log.entries.dropFirst(10) == ["pre all login", "post all login"])
  }

  @Test("observers see actions before the services do, by value, by type, and all of them")
  func observers() async throws {
    let log = Log<String>()
    let cluster = try await Bootstrap {
      Recording(name: "service", log: log)
        .observe(on: AccountAction.login) { log.note("value") }
        .observe(on: AccountAction.self) { log.note("type \($0)") }
        .observe { log.note("all \($0)") }
    }
    try await cluster.send(action: AccountAction.login)
    try await cluster.send(action: ArticleAction.load)
    #expect(log.entries == ["all login", "type login", "value", "service login", "all load"])
  }
}
