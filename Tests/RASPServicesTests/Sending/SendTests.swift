import RASPServices
import Streams
import TestSupport
import Testing

@Suite("Sending", .endsInTime)
struct SendTests {
  @Test("SVC-01: an action reaches a service below its modifiers, and send returns after it is done")
  func reachesAService() async throws {
    let log = Log<String>()
    let cluster = try await Bootstrap {
      Group {
        EmptyService().pre(action: AccountAction.self) { action in
          for _ in 0..<10 { await Task.yield() }
          log.note("\(action)")
        }
      }
      .serial()
      .environment(\.send, log.ignoring)
      .transformError { _ in AccountAction.failed }
    }
    try await cluster.send(action: AccountAction.login)
    #expect(log.entries == ["login"])
  }

  @Test("SVC-02: under serial, services run in declared order, each after the one before it has finished")
  func serial() async throws {
    let log = Log<String>()
    let cluster = try await Bootstrap {
      Group {
        for name in ["a", "b", "c"] {
          EmptyService().pre(action: AccountAction.self) { _ in
            log.note("\(name) begins")
            for _ in 0..<10 { await Task.yield() }
            log.note("\(name) ends")
          }
        }
      }
      .serial()
    }
    try await cluster.send(action: AccountAction.login)
    #expect(log.entries == ["a begins", "a ends", "b begins", "b ends", "c begins", "c ends"])
  }

  @Test("SVC-03: without a modifier services run at once, and send waits for all of them")
  func concurrent() async throws {
    let (first, second, log) = (Latch(), Latch(), Log<String>())
    let cluster = try await Bootstrap {
      // Each waits for the other: one after the other would never end.
      EmptyService().pre(action: AccountAction.self) { _ in
        first.open()
        await second.wait()
        log.note("a")
      }
      EmptyService().pre(action: AccountAction.self) { _ in
        await first.wait()
        second.open()
        log.note("b")
      }
    }
    try await cluster.send(action: AccountAction.login)
    #expect(Set(log.entries) == ["a", "b"])
  }

  @Test("the nearest of serial and concurrent wins")
  func nearestOrder() async throws {
    let (first, second) = (Latch(), Latch())
    let cluster = try await Bootstrap {
      Group {
        Group {
          EmptyService().pre(action: AccountAction.self) { _ in
            first.open()
            await second.wait()
          }
          EmptyService().pre(action: AccountAction.self) { _ in
            await first.wait()
            second.open()
          }
        }
        .concurrent()
      }
      .serial()
    }
    try await cluster.send(action: AccountAction.login)
  }

  @Test("SVC-13: mutate runs for its type alone, and several for one type run in declared order")
  func mutationsOfOneType() async throws {
    let log = Log<String>()
    let cluster = try await Bootstrap {
      Store(model: Numbers.self)
        .mutate(on: AccountAction.self) { _, action, _ in
          for _ in 0..<10 { await Task.yield() }
          log.note("first \(action)")
        }
        .mutate(on: ArticleAction.self) { _, action, _ in log.note("other \(action)") }
        .mutate(on: AccountAction.self) { _, action, _ in log.note("second \(action)") }
        .with(model: Numbers())
    }
    try await cluster.send(action: AccountAction.login)
    #expect(log.entries == ["first login", "second login"])
  }

  @Test("an action given as any Action is delivered by its own type")
  func existential() async throws {
    let log = Log<String>()
    let cluster = try await Bootstrap { Recording(name: "a", log: log) }
    let actions: [any Action] = [AccountAction.login, AccountAction.logout]
    for action in actions { try await cluster.send(action: action) }
    #expect(log.entries == ["a login", "a logout"])
  }

  @Test("send is reentrant: a handler waits for what it sends")
  func reentrant() async throws {
    let log = Log<String>()
    struct Forwarding: Service {
      @Environment(\.send) private var send
      let log: Log<String>

      var body: some Service {
        EmptyService().pre(action: ArticleAction.load) {
          log.note("before")
          try await send(AccountAction.login)
          log.note("after")
        }
      }
    }
    let cluster = try await Bootstrap {
      Forwarding(log: log)
      Recording(name: "a", log: log)
    }
    try await cluster.send(action: ArticleAction.load)
    #expect(log.entries == ["before", "a login", "after"])
  }

  @Test("a cancelled task sends nothing, and a serial group goes no further once it is cancelled")
  func cancellation() async throws {
    let (log, reached, release) = (Log<String>(), Latch(), Latch())
    let cluster = try await Bootstrap {
      Group {
        EmptyService().pre(action: AccountAction.login) {
          log.note("first")
          reached.open()
          await release.wait()
        }
        EmptyService().pre(action: AccountAction.login) { log.note("second") }
      }
      .serial()
      .transformError { _ in AccountAction.failed }
    }
    let sending = Task { try await cluster.send(action: AccountAction.login) }
    await reached.wait()
    sending.cancel()
    release.open()
    await #expect(throws: CancellationError.self) { try await sending.value }
    #expect(log.entries == ["first"])

    let late = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await cluster.send(action: AccountAction.login)
    }
    await #expect(throws: CancellationError.self) { try await late.value }
    #expect(log.entries == ["first"])
  }

  @Test("an object is delivered by its own type, also if the sender knows it by that of its superclass")
  func superclass() async throws {
    let log = Log<String>()
    let cluster = try await Bootstrap {
      EmptyService().pre(action: General.self) { _ in log.note("general") }
      EmptyService().pre(action: Special.self) { _ in log.note("special") }
    }
    let action: General = Special()
    try await cluster.send(action: action)
    try await cluster.send(action: General())
    #expect(log.entries == ["special", "general"])
  }

  @Test("an error of a cancelled task is thrown as it is, not lost for the cancellation")
  func cancelled() async throws {
    let cluster = try await Bootstrap {
      EmptyService()
        .pre(action: AccountAction.login) {
          withUnsafeCurrentTask { $0?.cancel() }
          throw Broken.first
        }
        .transformError { _ in AccountAction.failed }
    }
    let sending = Task { try await cluster.send(action: AccountAction.login) }
    await #expect(throws: Broken.first) { try await sending.value }
  }

  @Test("cancelling the sender cancels what runs side by side, and that several were cancelled is no further error")
  func cancelledTogether() async throws {
    let (ready, problems) = (Log<Int>(), Log<String>())
    let cluster = try await Bootstrap(diagnostics: { problems.note("\($0)") }) {
      for index in 0..<3 {
        EmptyService().pre(action: AccountAction.login) {
          ready.note(index)
          #expect(await eventually { Task.isCancelled })
          throw CancellationError()
        }
      }
    }
    let sending = Task { try await cluster.send(action: AccountAction.login) }
    #expect(await eventually { ready.count == 3 })
    sending.cancel()
    await #expect(throws: CancellationError.self) { try await sending.value }
    #expect(problems.entries == [])
  }
}

extension Log where Entry == String {
  /// A `send` that throws everything away.
  var ignoring: Send { { _ in } }
}

private class General: Action, @unchecked Sendable {}

private final class Special: General, @unchecked Sendable {}
