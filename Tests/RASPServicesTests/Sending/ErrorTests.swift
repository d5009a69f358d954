import RASPServices
import RASPTesting
import Streams
import TestSupport
import Testing

@Suite("Errors", .endsInTime)
struct ErrorTests {
  @Test("SVC-04: serial stops before the services behind the one that threw, and send throws its error")
  func serial() async throws {
    let log = Log<String>()
    let cluster = try await Bootstrap {
      Group {
        Recording(name: "a", log: log)
        Failing(error: .first, action: .login)
        Recording(name: "c", log: log)
      }
      .serial()
    }
    await #expect(throws: Broken.first) { try await cluster.send(action: AccountAction.login) }
    #expect(log.entries == ["a login"])
  }

  @Test("SVC-04: concurrent lets the others finish, uncancelled, and send throws the first error")
  func concurrent() async throws {
    let (log, problems) = (Log<String>(), Log<String>())
    // Time moves on when the error of the first has arrived.
    try await withVirtualTime { time in
      let cluster = try await Bootstrap(diagnostics: { problems.note("\($0)") }) {
        EmptyService().pre(action: AccountAction.login) { throw Broken.first }
        EmptyService().pre(action: AccountAction.login) {
          try? await time.sleep(until: time.now + .seconds(1))
          log.note(Task.isCancelled ? "cancelled" : "finished")
          throw Broken.second
        }
      }
      let sending = Task(executorPreference: time.taskExecutor) { try await cluster.send(action: AccountAction.login) }
      await time.run(for: .seconds(1))
      await #expect(throws: Broken.first) { try await sending.value }
    }
    #expect(log.entries == ["finished"])
    // The other error is not lost.
    #expect(problems.entries.count == 1)
    #expect(problems.entries.first?.contains("second") == true)
  }

  @Test("SVC-05: an error becomes an action for the whole cluster, after the earlier siblings have run")
  func transform() async throws {
    let log = Log<String>()
    let cluster = try await Bootstrap {
      Group {
        Recording(name: "inside", log: log)
        Failing(error: .first, action: .login)
        Recording(name: "behind", log: log)
      }
      .serial()
      .transformError { _ in AccountAction.failed }
      Recording(name: "outside", log: log)
    }
    try await cluster.send(action: AccountAction.login)
    #expect(log.entries.filter { $0.hasPrefix("inside") } == ["inside login", "inside failed"])
    #expect(log.entries.filter { $0.hasPrefix("behind") } == ["behind failed", "behind login"])
    // It stands beside the group, and nothing promises which of the two it gets first.
    #expect(log.entries.filter { $0.hasPrefix("outside") }.sorted() == ["outside failed", "outside login"])
  }

  @Test("SVC-06: a transformed error whose action throws again makes send throw, and is not transformed again")
  func throwsAgain() async throws {
    let transformed = Log<Broken>()
    let transform: @Sendable (any Error) -> (any Action)? = { error in
      if let error = error as? Broken { transformed.note(error) }
      return AccountAction.failed
    }
    let cluster = try await Bootstrap {
      Group {
        Group {
          Failing(error: .first, action: .login)
          Failing(error: .again, action: .failed)
        }
        .transformError(transform)
      }
      .transformError(transform)
    }
    await #expect(throws: Broken.again) { try await cluster.send(action: AccountAction.login) }
    #expect(transformed.entries == [.first])
  }

  @Test("SVC-06: nor is an error transformed that the action of an error causes by sending")
  func throwsAgainLater() async throws {
    let transformed = Log<String>()
    struct Retrying: Service {
      @Environment(\.send) private var send

      var body: some Service {
        EmptyService().pre(action: AccountAction.failed) { try await send(AccountAction.login) }
      }
    }
    let cluster = try await Bootstrap {
      Group {
        Failing(error: .first, action: .login)
        Retrying()
        Store(model: Numbers.self)
          .mutate(on: AccountAction.self) { _, action, send in
            if action == .failed { try await send(AccountAction.login) }
          }
          .with(model: Numbers())
      }
      .transformError {
        transformed.note("\($0)")
        return AccountAction.failed
      }
    }
    await #expect(throws: Broken.first) { try await cluster.send(action: AccountAction.login) }
    #expect(transformed.entries == ["first"])
    // The next action begins anew.
    await #expect(throws: Broken.first) { try await cluster.send(action: AccountAction.login) }
    #expect(transformed.entries == ["first", "first"])
  }

  @Test("a task that outlives the action of an error has its own errors transformed")
  func afterwards() async throws {
    let (log, finished, done) = (Log<String>(), Latch(), Latch())
    struct Leaving: Service {
      @Environment(\.send) private var send
      let finished: Latch
      let done: Latch

      var body: some Service {
        EmptyService().pre(action: AccountAction.failed) {
          Task { [send] in
            await finished.wait()
            try await send(AccountAction.logout)
            done.open()
          }
        }
      }
    }
    let cluster = try await Bootstrap {
      Group {
        Failing(error: .first, action: .login)
        Failing(error: .second, action: .logout)
        Leaving(finished: finished, done: done)
      }
      .transformError { error in
        log.note("\(error)")
        return error as? Broken == .first ? AccountAction.failed : ArticleAction.load
      }
    }
    try await cluster.send(action: AccountAction.login)
    finished.open()
    await done.wait()
    #expect(log.entries == ["first", "second"])
  }

  @Test("if several services fail at once, each error becomes an action")
  func several() async throws {
    let log = Log<String>()
    let cluster = try await Bootstrap {
      Group {
        Failing(error: .first, action: .login)
        Failing(error: .second, action: .login)
      }
      .transformError { ArticleAction.loaded($0 as? Broken == .first ? 1 : 2) }
      EmptyService().pre(action: ArticleAction.self) { log.note("\($0)") }
    }
    try await cluster.send(action: AccountAction.login)
    #expect(Set(log.entries) == ["loaded(1)", "loaded(2)"])
  }

  @Test("the nearest transform wins, and one that returns nil leaves the error to the next")
  func nearest() async throws {
    let log = Log<String>()
    let cluster = try await Bootstrap {
      Group {
        Group {
          Failing(error: .first, action: .login)
          Failing(error: .second, action: .logout)
        }
        .transformError { $0 as? Broken == .first ? ArticleAction.loaded(1) : nil }
      }
      .transformError { _ in ArticleAction.loaded(2) }
      EmptyService().pre(action: ArticleAction.self) { log.note("\($0)") }
    }
    try await cluster.send(action: AccountAction.login)
    try await cluster.send(action: AccountAction.logout)
    #expect(log.entries == ["loaded(1)", "loaded(2)"])
  }

  @Test("one cluster's error action does not keep another cluster from transforming its own")
  func otherCluster() async throws {
    let log = Log<String>()
    let other = try await Bootstrap {
      Failing(error: .second, action: .login).transformError { error in
        log.note("other \(error)")
        return ArticleAction.load
      }
    }
    let cluster = try await Bootstrap {
      Failing(error: .first, action: .login).transformError { error in
        log.note("\(error)")
        return AccountAction.failed
      }
      EmptyService().pre(action: AccountAction.failed) { try await other.send(action: AccountAction.login) }
    }
    try await cluster.send(action: AccountAction.login)
    #expect(log.entries == ["first", "other second"])
  }

  @Test("SVC-06: nor is an error of a task that a nested send of such an action left behind, while it is waited for")
  func throwsAgainInTask() async throws {
    struct Retrying: Service {
      @Environment(\.send) private var send
      let work: Box<Task<Void, any Error>>
      let nested: Latch

      var body: some Service {
        EmptyService()
          .pre(action: AccountAction.failed) {
            try await send(ArticleAction.load)
            nested.open()
            try await work.value?.value
          }
          .pre(action: ArticleAction.load) {
            work.value = Task { [send] in
              await nested.wait()
              try await send(AccountAction.login)
            }
          }
      }
    }
    let transformed = Log<String>()
    let cluster = try await Bootstrap {
      Group {
        Failing(error: .first, action: .login)
        Retrying(work: Box(), nested: Latch())
      }
      .transformError { error in
        transformed.note("\(error)")
        return transformed.count < 10 ? AccountAction.failed : nil
      }
    }
    await #expect(throws: Broken.first) { try await cluster.send(action: AccountAction.login) }
    #expect(transformed.entries == ["first"])
  }

  @Test("a task that a transform left behind has its own errors transformed")
  func afterTransform() async throws {
    let (log, returned, done, slot) = (Log<String>(), Latch(), Latch(), Box<Cluster>())
    let cluster = try await Bootstrap {
      Group {
        Failing(error: .first, action: .login)
        Failing(error: .second, action: .logout)
      }
      .transformError { error in
        log.note("\(error)")
        if error as? Broken == .second { return ArticleAction.load }
        Task {
          await returned.wait()
          try? await slot.value?.send(action: AccountAction.logout)
          done.open()
        }
        return ArticleAction.load
      }
    }
    slot.value = cluster
    try await cluster.send(action: AccountAction.login)
    returned.open()
    await done.wait()
    #expect(log.entries == ["first", "second"])
    slot.value = nil
  }
}
