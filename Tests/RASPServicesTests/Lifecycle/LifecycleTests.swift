import RASPTesting
import Streams
import TestSupport
import Testing

@testable import RASPServices

@Suite("Bootstrap and shutdown", .endsInTime)
struct LifecycleTests {
  @Test("SVC-09: bootstrap hooks run children first, with the environment in place, and may send")
  func hooks() async throws {
    struct Starting: Service {
      @Environment(\.send) private var send
      let log: Log<String>

      var body: some Service {
        Group {
          EmptyService().bootstrap { log.note("a") }
          Recording(name: "b", log: log).bootstrap {
            log.note("b")
            try await send(AccountAction.login)
          }
        }
        .bootstrap { log.note("group") }
      }
    }
    let log = Log<String>()
    let cluster = try await Bootstrap {
      Starting(log: log).bootstrap { log.note("outer") }
        .emit(using: Observable([AccountAction.logout]), consumeAtBootstrap: true)
    }
    #expect(log.entries == ["a", "b", "b login", "group", "outer", "b logout"])
    withExtendedLifetime(cluster) {}
  }

  @Test("SVC-09: a throwing hook fails the bootstrap, and what had been bootstrapped is torn down")
  func throwingHook() async throws {
    let log = Log<String>()
    await #expect(throws: Broken.first) {
      _ = try await Bootstrap {
        EmptyService().bootstrap { log.note("a") }.teardown { log.note("a down") }
        EmptyService().bootstrap { throw Broken.first }.teardown { log.note("b down") }
        EmptyService().bootstrap { log.note("c") }.teardown { log.note("c down") }
      }
    }
    #expect(log.entries == ["a", "a down"])
  }

  @Test("shutdown lets running work finish, with what it sends, then tears down in reverse order")
  func shutdown() async throws {
    let (log, started, release) = (Log<String>(), Latch(), Latch())
    struct Working: Service {
      @Environment(\.send) private var send
      let started: Latch
      let release: Latch
      let log: Log<String>

      var body: some Service {
        EmptyService().pre(action: AccountAction.login) {
          started.open()
          await release.wait()
          log.note(Task.isCancelled ? "cancelled" : "working")
          try await send(AccountAction.logout)
        }
      }
    }
    let subject = Subject<AccountAction, Never>()
    let cluster = try await Bootstrap {
      Group {
        Working(started: started, release: release, log: log).teardown { log.note("a down") }
        EmptyService().pre(action: AccountAction.logout) { log.note("sent") }.teardown { log.note("b down") }
      }
      .teardown { log.note("group down") }
      .emit(using: subject.observable)
    }
    // The work that is under way came from an emitter: that is stopped, and the work is not.
    subject.send(.login)
    await started.wait()
    let ending = Task {
      await cluster.shutdown()
      log.note("ended")
    }
    // No service handles this one: it only asks whether the cluster still takes actions.
    #expect(await eventually { (try? await cluster.send(action: ArticleAction.load)) == nil })
    await #expect(throws: ClusterError.shutDown) { try await cluster.send(action: AccountAction.login) }
    #expect(log.count == 0)
    release.open()
    await ending.value
    #expect(log.entries == ["working", "sent", "group down", "b down", "a down", "ended"])
    await cluster.shutdown()
    await #expect(throws: ClusterError.shutDown) { try await cluster.send(action: AccountAction.login) }
  }

  @Test("shutdown from inside a handler does not wait for that handler")
  func shutdownInside() async throws {
    let (log, down) = (Log<String>(), Latch())
    let slot = Box<Cluster>()
    let cluster = try await Bootstrap {
      EmptyService()
        .pre(action: AccountAction.logout) {
          await slot.value?.shutdown()
          log.note("handler")
        }
        .teardown {
          log.note("down")
          down.open()
        }
    }
    slot.value = cluster
    try await cluster.send(action: AccountAction.logout)
    await down.wait()
    #expect(log.entries == ["handler", "down"])
    slot.value = nil
  }

  @Test("every call of shutdown waits for its end, also when it is over")
  func shutdownTwice() async throws {
    let (release, started, log) = (Latch(), Latch(), Log<String>())
    let cluster = try await Bootstrap {
      EmptyService().teardown {
        started.open()
        await release.wait()
        log.note("down")
      }
    }
    let endings = (0..<3).map { _ in
      Task {
        await cluster.shutdown()
        return log.entries
      }
    }
    await started.wait()
    release.open()
    for ending in endings { #expect(await ending.value == ["down"]) }
    await cluster.shutdown()
  }

  @Test("many tasks that ask for shutdown at once all return, and none is kept as a waiter, then or later")
  func shutdownLeavesNoWaiter() async throws {
    let (release, started) = (Latch(), Latch())
    let cluster = try await Bootstrap {
      EmptyService().teardown {
        started.open()
        await release.wait()
      }
    }
    let endings = (0..<100).map { _ in Task { await cluster.shutdown() } }
    await started.wait()
    #expect(await eventually { cluster.core.waiterCount == 100 })
    release.open()
    for ending in endings { await ending.value }
    #expect(cluster.core.waiterCount == 0)
    for _ in 0..<100 { await cluster.shutdown() }
    #expect(cluster.core.waiterCount == 0)
  }

  @Test("a teardown that throws is reported, and the others run")
  func throwingTeardown() async throws {
    let (log, problems) = (Log<String>(), Log<String>())
    let cluster = try await Bootstrap(diagnostics: { problems.note("\($0)") }) {
      EmptyService().teardown { log.note("down") }
      EmptyService().teardown { throw Broken.first }
    }
    await cluster.shutdown()
    #expect(log.entries == ["down"])
    #expect(problems.entries.count == 1)
    #expect(problems.entries.first?.contains("first") == true)
  }

  @Test("sends that race with shutdown are done before teardown, or refused")
  func shutdownRaces() async throws {
    for _ in 0..<rounds(3_000) {
      let isDown = Lock(false)
      let late = Log<Int>()
      let cluster = try await Bootstrap {
        Group {
          EmptyService().pre(action: AccountAction.self) { _ in
            await Task.yield()
            if isDown.withLock({ $0 }) { late.note(1) }
          }
        }
        .teardown { isDown.withLock { $0 = true } }
      }
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<8 {
          group.addTask {
            do {
              for _ in 0..<5 { try await cluster.send(action: AccountAction.login) }
            } catch {
              #expect(error as? ClusterError == .shutDown)
            }
          }
        }
        for _ in 0..<2 { group.addTask { await cluster.shutdown() } }
      }
      #expect(late.count == 0)
    }
  }

  @Test("shutdown from inside a teardown does not wait for that teardown")
  func shutdownInsideTeardown() async throws {
    let (log, slot) = (Log<String>(), Box<Cluster>())
    let cluster = try await Bootstrap {
      EmptyService().teardown {
        await slot.value?.shutdown()
        log.note("down")
      }
    }
    slot.value = cluster
    await cluster.shutdown()
    #expect(log.entries == ["down"])
    slot.value = nil
  }

  @Test("shutdown from a task that a nested send left behind does not wait for a handler that waits for the task")
  func shutdownLeftBehind() async throws {
    let (slot, work) = (Box<Cluster>(), Box<Task<Void, Never>>())
    let nested = Latch()
    let cluster = try await Bootstrap {
      EmptyService()
        .pre(action: AccountAction.login) {
          try await slot.value?.send(action: AccountAction.logout)
          nested.open()
          await work.value?.value
        }
        .pre(action: AccountAction.logout) {
          work.value = Task {
            await nested.wait()
            await slot.value?.shutdown()
          }
        }
    }
    slot.value = cluster
    try await cluster.send(action: AccountAction.login)
    await cluster.shutdown()
    slot.value = nil
  }
}
