import Foundation
import RASPServices
import RASPTesting
import Streams
import TestSupport
import Testing

@Suite("Emitters", .endsInTime)
struct EmitterTests {
  private static func stream(_ actions: [any Action]) -> AsyncStream<any Action> {
    AsyncStream { continuation in
      for action in actions { continuation.yield(action) }
      continuation.finish()
    }
  }

  @Test("SVC-07: consumed at bootstrap, bootstrap returns when the stream ends and its actions are done")
  func consumed() async throws {
    let log = Log<String>()
    let cluster = try await Bootstrap {
      Recording(name: "a", log: log)
        .emit(using: Self.stream([AccountAction.login, AccountAction.failed]), consumeAtBootstrap: true)
      // An emitter feeds the services under it, and no others.
      EmptyService().pre(action: AccountAction.failed) { log.note("elsewhere") }
    }
    #expect(log.entries == ["a login", "a failed"])
    withExtendedLifetime(cluster) {}
  }

  @Test("any asynchronous sequence, of one type of action or of any, and any observable")
  func sources() async throws {
    let log = Log<String>()
    let (typed, typedInput) = AsyncStream.makeStream(of: AccountAction.self)
    let (throwing, throwingInput) = AsyncThrowingStream.makeStream(of: AccountAction.self)
    let (anything, anyInput) = AsyncStream.makeStream(of: (any Action).self)
    let subject = Subject<AccountAction, Never>()
    let cluster = try await Bootstrap {
      Emitter(stream: typed) {
        Recording(name: "a", log: log).emit(using: subject.observable)
      }
      .emit(using: throwing)
      .emit(using: anything)
      .emit(using: Observable([AccountAction.login, .logout]), consumeAtBootstrap: true)
    }
    #expect(log.entries == ["a login", "a logout"])
    typedInput.yield(.login)
    #expect(await eventually { log.count == 3 })
    throwingInput.yield(.logout)
    #expect(await eventually { log.count == 4 })
    subject.send(.failed)
    #expect(await eventually { log.count == 5 })
    anyInput.yield(AccountAction.login)
    #expect(await eventually { log.count == 6 })
    #expect(log.entries.dropFirst(2) == ["a login", "a logout", "a failed", "a login"])
    await cluster.shutdown()
  }

  @Test("what an observable sends as soon as Bootstrap has returned is not lost")
  func subscribedAtOnce() async throws {
    for _ in 0..<rounds(2_000) {
      let (subject, log) = (Subject<AccountAction, Never>(), Log<String>())
      let cluster = try await Bootstrap { Recording(name: "a", log: log).emit(using: subject.observable) }
      subject.send(.login)
      subject.finish()
      #expect(await eventually { log.count == 1 })
      await cluster.shutdown()
    }
  }

  @Test("shutdown releases what emitters listen to, also while an action is being handled")
  func letGo() async throws {
    let (started, release, subject) = (Latch(), Latch(), Subject<AccountAction, Never>())
    let cluster = try await Bootstrap {
      EmptyService()
        .pre(action: AccountAction.login) {
          started.open()
          await release.wait()
        }
        .emit(using: subject.observable)
    }
    subject.send(.login)
    await started.wait()
    let ending = Task { await cluster.shutdown() }
    #expect(await eventually { subject.observerCount == 0 })
    release.open()
    await ending.value
  }

  @Test("shutdown takes no action more out of a sequence than the one that is being handled")
  func takesNoMore() async throws {
    let (started, release) = (Latch(), Latch())
    let (stream, continuation) = AsyncStream.makeStream(of: AccountAction.self)
    let cluster = try await Bootstrap {
      EmptyService()
        .pre(action: AccountAction.login) {
          started.open()
          await release.wait()
        }
        .emit(using: stream)
    }
    continuation.yield(.login)
    continuation.yield(.logout)
    await started.wait()
    let ending = Task { await cluster.shutdown() }
    // The emitters are stopped before the cluster refuses what is sent to it.
    #expect(
      await eventually {
        do { try await cluster.send(action: AccountAction.failed) } catch { return true }
        return false
      }
    )
    release.open()
    await ending.value
    continuation.finish()
    var left: [AccountAction] = []
    for await action in stream { left.append(action) }
    #expect(left == [.logout])
  }

  @Test("one action at a time: the next is read when the one before it is done")
  func backpressure() async throws {
    let (read, handled) = (Log<Int>(), Log<Int>())
    let cluster = try await Bootstrap {
      EmptyService()
        .pre(action: ArticleAction.self) { action in
          await Task.yield()
          if case .loaded(let number) = action {
            #expect(read.count == number)
            handled.note(number)
          }
        }
        .emit(using: Counting(limit: 100, read: read), consumeAtBootstrap: true)
    }
    #expect(handled.entries == Array(1...100))
    withExtendedLifetime(cluster) {}
  }

  @Test("an action that fails is reported and the next one follows; a stream that fails is reported")
  func errors() async throws {
    let (log, problems) = (Log<String>(), Log<String>())
    let (stream, input) = AsyncThrowingStream.makeStream(of: AccountAction.self)
    let cluster = try await Bootstrap(diagnostics: { problems.note("\($0)") }) {
      Group {
        Recording(name: "a", log: log)
        Failing(error: .first, action: .login)
      }
      .emit(using: stream)
    }
    input.yield(.login)
    input.yield(.logout)
    input.finish(throwing: Broken.second)
    #expect(await eventually { problems.count == 2 })
    #expect(log.entries == ["a login", "a logout"])
    #expect(problems.entries[0].hasPrefix("AccountAction, emitted in Cluster, failed: first."))
    #expect(problems.entries[1].hasPrefix("The stream of an emitter in Cluster failed and has ended: second."))
    withExtendedLifetime(cluster) {}
  }

  @Test("consumed at bootstrap, an action that fails and a stream that fails make the bootstrap fail")
  func errorsAtBootstrap() async throws {
    await #expect(throws: Broken.first) {
      _ = try await Bootstrap {
        Failing(error: .first, action: .login)
          .emit(using: Observable([AccountAction.login]), consumeAtBootstrap: true)
      }
    }
    let failing = Observable<AccountAction, Broken> { $0.fail(.second) }
    await #expect(throws: Broken.second) {
      _ = try await Bootstrap { EmptyService().emit(using: failing, consumeAtBootstrap: true) }
    }
  }

  @Test("cancelling a bootstrap that reads an endless stream ends it")
  func cancelledBootstrap() async throws {
    let (stream, input) = AsyncStream.makeStream(of: AccountAction.self)
    let log = Log<String>()
    let bootstrap = Task {
      _ = try await Bootstrap {
        Recording(name: "a", log: log).emit(using: stream, consumeAtBootstrap: true)
      }
    }
    input.yield(.login)
    #expect(await eventually { log.count == 1 })
    bootstrap.cancel()
    await #expect(throws: CancellationError.self) { try await bootstrap.value }
  }

  @Test("SVC-08: an endless emitter ends with its cluster, and nothing of it is left")
  func released() async throws {
    let (tracker, log, subject) = (LifetimeTracker(), Log<String>(), Subject<AccountAction, Never>())
    let stream = Unending<AccountAction>()
    var cluster: Cluster? = try await Bootstrap { [object = tracker.make()] in
      Recording(name: "a", log: log)
        .pre { _ in withExtendedLifetime(object) {} }
        .emit(using: stream)
        .emit(using: subject.observable)
    }
    subject.send(.login)
    #expect(await eventually { log.count == 1 })
    await stream.isAwaited.wait()
    cluster = nil
    await stream.isCancelled.wait()
    #expect(await eventually { tracker.liveCount == 0 && subject.observerCount == 0 })
    // Actions that come now find no service.
    subject.send(.logout)
    #expect(log.entries == ["a login"])
    #expect(cluster == nil)
  }

  @Test("SVC-08: releasing the cluster cancels what its emitters have under way")
  func releasedUnderWay() async throws {
    let (started, cancelled, subject) = (Latch(), Latch(), Subject<AccountAction, Never>())
    var cluster: Cluster? = try await Bootstrap {
      EmptyService()
        .pre(action: AccountAction.login) {
          started.open()
          #expect(await eventually { Task.isCancelled })
          cancelled.open()
        }
        .emit(using: subject.observable)
    }
    subject.send(.login)
    await started.wait()
    cluster = nil
    await cancelled.wait()
    #expect(cluster == nil)
  }

  @Test("SVC-08: actions that race with the release of the cluster reach it or no service")
  func releaseRaces() async throws {
    for _ in 0..<rounds(3_000) {
      let (subject, handled) = (Subject<AccountAction, Never>(), Log<Int>())
      let slot = Box<Cluster>()
      // The slot has the only reference.
      slot.value = try await Bootstrap {
        EmptyService().pre(action: AccountAction.self) { _ in handled.note(1) }.emit(using: subject.observable)
      }
      await Threads.run({ for _ in 0..<20 { subject.send(.login) } }, { slot.value = nil })
      #expect(await eventually { subject.observerCount == 0 })
      #expect(handled.count <= 20)
    }
  }

  @Test("an emitter sends through the environment, so a test sees what it emits")
  func replacedSend() async throws {
    let (log, recorded) = (Log<String>(), Log<any Action>())
    let cluster = try await Bootstrap {
      Recording(name: "a", log: log)
        .emit(using: Observable([AccountAction.login]), consumeAtBootstrap: true)
        .environment(\.send, { action in recorded.note(action) })
    }
    #expect(log.count == 0)
    #expect(recorded.entries as? [AccountAction] == [.login])
    withExtendedLifetime(cluster) {}
  }

  @Test("an action that fails after its emitter was stopped is reported; one that came too late is not")
  func errorsAtShutdown() async throws {
    let (started, release, subject) = (Latch(), Latch(), Subject<AccountAction, Never>())
    let problems = Log<String>()
    let cluster = try await Bootstrap(diagnostics: { problems.note("\($0)") }) {
      EmptyService()
        .pre(action: AccountAction.login) {
          started.open()
          await release.wait()
          throw Broken.first
        }
        .emit(using: subject.observable)
    }
    subject.send(.login)
    subject.send(.logout)
    await started.wait()
    let ending = Task { await cluster.shutdown() }
    #expect(await eventually { subject.observerCount == 0 })
    release.open()
    await ending.value
    #expect(await eventually { problems.count > 0 })
    #expect(problems.count == 1)
    #expect(problems.entries[0].hasPrefix("AccountAction, emitted in Cluster, failed: first."))
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
    #expect(await eventually { log.entries.contains("a login") })
    #expect(problems.count == 1)
    slot.value = nil
    #expect(await eventually { subject.observerCount == 0 })
    subject.send(.login)
  }
}

/// Counts to `limit`, and writes down how far it was read.
private struct Counting: AsyncSequence, Sendable {
  let limit: Int
  let read: Log<Int>

  func makeAsyncIterator() -> Iterator { Iterator(limit: limit, read: read) }

  struct Iterator: AsyncIteratorProtocol {
    let limit: Int
    let read: Log<Int>
    var count = 0

    mutating func next() async -> ArticleAction? {
      guard count < limit else { return nil }
      count += 1
      read.note(count)
      return .loaded(count)
    }
  }
}

@Suite("Emitters that do not end", .endsInTime)
struct EndlessEmitterTests {
  @Test(
    "SVC-25: an observable that sends without end while it is subscribed to starts, is heard, and ends with the cluster",
    .enabled(if: ProcessInfo.processInfo.activeProcessorCount > 1, "The source keeps one thread of the pool busy.")
  )
  func synchronousAndEndless() async {
    // In a process of its own, because it would take half of the pool of a small machine from all other tests.
    await #expect(processExitsWith: .success) {
      let (log, isEnding, ended) = (Counter(), Flag(), Latch())
      let endless = Observable<AccountAction, Never> { producer in
        var sent = 0
        while producer.isActive {
          // It sends no faster than the test needs.
          if sent <= log.value + 1 || isEnding.isRaised {
            producer.send(.login)
            sent += 1
          }
        }
        ended.open()
      }
      let cluster = try await Bootstrap {
        On(AccountAction.self) { _, _ in log.increment() }.emit(using: endless)
      }
      #expect(await eventually { log.value >= 10 })
      let ending = Task { await cluster.shutdown() }
      isEnding.raise()
      await ended.wait()
      await ending.value
    }
  }

  @Test("SVC-25: a cancelled Bootstrap does not wait for a sequence that is deaf to cancellation")
  func deafSequence() async throws {
    struct Deaf: AsyncSequence, Sendable {
      let reading: Latch
      let release: Latch

      func makeAsyncIterator() -> Iterator { Iterator(sequence: self) }

      struct Iterator: AsyncIteratorProtocol {
        let sequence: Deaf

        mutating func next() async -> AccountAction? {
          sequence.reading.open()
          await sequence.release.wait()
          return nil
        }
      }
    }
    let deaf = Deaf(reading: Latch(), release: Latch())
    let bootstrap = Task {
      _ = try await Bootstrap { EmptyService().emit(using: deaf, consumeAtBootstrap: true) }
    }
    await deaf.reading.wait()
    bootstrap.cancel()
    await #expect(throws: CancellationError.self) { try await bootstrap.value }
    deaf.release.open()
  }
}
