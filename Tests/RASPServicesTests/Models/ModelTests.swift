import RASPServices
import RASPTesting
import Streams
import TestSupport
import Testing

@Suite("Models", .endsInTime)
struct ModelTests {
  @Test("SVC-14: a mutation of a value persists")
  func persists() async throws {
    let cluster = try await Bootstrap { NumbersService().with(model: Numbers(values: [0])) }
    for value in 1...3 { try await cluster.send(action: Add(value: value)) }
    #expect(try await cluster.numbers() == [0, 1, 2, 3])
  }

  @Test("SVC-14: what a mutation changed before it threw stays changed")
  func throwing() async throws {
    let cluster = try await Bootstrap {
      Group {
        NumbersService()
        Store(model: Numbers.self).mutate(on: AccountAction.self) { model, _, _ in
          model.values.append(7)
          await Task.yield()
          throw Broken.first
        }
      }
      .with(model: Numbers())
    }
    await #expect(throws: Broken.first) { try await cluster.send(action: AccountAction.login) }
    #expect(try await cluster.numbers() == [7])
  }

  @Test("mutations of one value run one at a time, across their suspensions, and none is lost")
  func serialised() async throws {
    let busy = Lock(0)
    let overlaps = Log<Int>()
    let cluster = try await Bootstrap {
      Group {
        NumbersService()
        // Another store of the same model takes its turns in the same line.
        Store(model: Numbers.self).mutate(on: ArticleAction.self) { model, _, _ in
          if busy.withLock({
            $0 += 1; return $0
          }) > 1 {
            overlaps.note(1)
          }
          let before = model.values.count
          await Task.yield()
          model.values.append(before)
          busy.withLock { $0 -= 1 }
        }
      }
      .with(model: Numbers())
    }
    let count = rounds(5_000)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<count {
        group.addTask { try await cluster.send(action: ArticleAction.load) }
        group.addTask { try await cluster.send(action: Add(value: -1)) }
      }
      try await group.waitForAll()
    }
    #expect(overlaps.count == 0)
    let numbers = try await cluster.numbers()
    #expect(numbers.count == 2 * count)
    #expect(numbers.enumerated().allSatisfy { $1 == -1 || $1 == $0 })
  }

  @Test("an action that a mutation sends to its own model runs after it, before the outer send returns")
  func reentrant() async throws {
    let log = Log<String>()
    let cluster = try await Bootstrap {
      Store(model: Numbers.self)
        .mutate(on: AccountAction.self) { model, action, send in
          log.note("begin \(action)")
          if action == .login {
            model.values.append(1)
            try await send(AccountAction.logout)
            await Task.yield()
            model.values.append(2)
          } else {
            model.values.append(3)
          }
          log.note("end \(action)")
        }
        .mutate(on: Read.self) { model, action, _ in action.log.note(model.values) }
        .with(model: Numbers())
    }
    try await cluster.send(action: AccountAction.login)
    #expect(log.entries == ["begin login", "end login", "begin logout", "end logout"])
    #expect(try await cluster.numbers() == [1, 2, 3])
  }

  @Test("what a mutation sends is in line until the action has reached all services, however it is sent")
  func postponed() async throws {
    let log = Log<String>()
    struct Sending: Service {
      @Environment(\.send) private var send
      let log: Log<String>

      var body: some Service {
        Store(model: Numbers.self)
          .mutate(on: AccountAction.self) { _, _, send in
            try await send(ArticleAction.loaded(1))
            try await self.send(ArticleAction.loaded(2))
            try await Task { try await send(ArticleAction.loaded(3)) }.value
            log.note("sent")
          }
          .with(model: Numbers())
      }
    }
    let cluster = try await Bootstrap {
      Group {
        Sending(log: log)
        EmptyService().pre(action: AccountAction.self) { _ in log.note("sibling") }
        EmptyService().pre(action: ArticleAction.self) { log.note("\($0)") }
      }
      .serial()
    }
    try await cluster.send(action: AccountAction.login)
    #expect(log.entries == ["sent", "sibling", "loaded(1)", "loaded(2)", "loaded(3)"])
  }

  @Test("what a mutation has sent is sent also if it throws, and the first error is thrown by the outer send")
  func postponedErrors() async throws {
    let (log, problems) = (Log<String>(), Log<String>())
    let cluster = try await Bootstrap(diagnostics: { problems.note("\($0)") }) {
      Store(model: Numbers.self)
        .mutate(on: AccountAction.self) { _, action, send in
          try await send(ArticleAction.loaded(1))
          throw Broken.first
        }
        .mutate(on: ArticleAction.self) { _, action, _ in
          log.note("\(action)")
          throw Broken.second
        }
        .with(model: Numbers())
    }
    await #expect(throws: Broken.first) { try await cluster.send(action: AccountAction.login) }
    #expect(log.entries == ["loaded(1)"])
    #expect(problems.entries.count == 1)
  }

  @Test("two models that send to each other do not wait for each other")
  func crossing() async throws {
    struct Left: Sendable { var count = 0 }
    struct Right: Sendable { var count = 0 }
    let log = Log<[Int]>()
    let cluster = try await Bootstrap {
      Store(model: Left.self)
        .mutate(on: AccountAction.self) { model, action, send in
          model.count += 1
          await Task.yield()
          if action == .login { try await send(ArticleAction.loaded(1)) }
        }
        .mutate(on: Read.self) { model, _, _ in log.note([model.count]) }
        .with(model: Left())
      Store(model: Right.self)
        .mutate(on: ArticleAction.self) { model, action, send in
          model.count += 1
          await Task.yield()
          if action == .load { try await send(AccountAction.logout) }
        }
        .mutate(on: Read.self) { model, _, _ in log.note([model.count]) }
        .with(model: Right())
    }
    let count = rounds(10_000)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<count {
        group.addTask { try await cluster.send(action: AccountAction.login) }
        group.addTask { try await cluster.send(action: ArticleAction.load) }
      }
      try await group.waitForAll()
    }
    try await cluster.send(action: Read(log: log))
    #expect(log.entries == [[2 * count], [2 * count]])
  }

  @Test("two clusters whose models send to each other do not wait for each other")
  func crossingClusters() async throws {
    let (left, right) = (Box<Cluster>(), Box<Cluster>())
    for (own, other) in [(left, right), (right, left)] {
      own.value = try await Bootstrap {
        Group {
          NumbersService()
          Store(model: Numbers.self).mutate(on: AccountAction.self) { model, action, _ in
            model.values.append(1)
            await Task.yield()
            if action == .login { try await other.value?.send(action: AccountAction.logout) }
          }
        }
        .with(model: Numbers())
      }
    }
    let (first, second) = (try #require(left.value), try #require(right.value))
    let count = rounds(3_000)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<count {
        group.addTask { try await first.send(action: AccountAction.login) }
        group.addTask { try await second.send(action: AccountAction.login) }
      }
      try await group.waitForAll()
    }
    #expect(try await first.numbers().count == 2 * count)
    #expect(try await second.numbers().count == 2 * count)
    left.value = nil
    right.value = nil
  }

  @Test("a preparation that sends to its own model does not wait for itself")
  func sendingPreparation() async throws {
    struct Sending: Service {
      @Environment(\.send) private var send

      var body: some Service {
        Store(model: Numbers.self)
          .bootstrap { model in
            try await send(Add(value: 2))
            model.values = [1]
          }
        NumbersService()
      }
    }
    let cluster = try await Bootstrap { Sending().with(model: Numbers()) }
    #expect(try await cluster.numbers() == [1, 2])
  }

  @Test("ten thousand actions that each send the next need no more room than one")
  func chain() async throws {
    let cluster = try await Bootstrap {
      Store(model: Numbers.self)
        .mutate(on: Add.self) { model, action, send in
          model.values = [action.value]
          if action.value < 10_000 { try await send(Add(value: action.value + 1)) }
        }
        .mutate(on: Read.self) { model, action, _ in action.log.note(model.values) }
        .with(model: Numbers())
    }
    try await cluster.send(action: Add(value: 1))
    #expect(try await cluster.numbers() == [10_000])
  }

  @Test("a task that a mutation left behind sends at once")
  func leftBehind() async throws {
    let (release, done) = (Latch(), Latch())
    let cluster = try await Bootstrap {
      Group {
        NumbersService()
        Store(model: Numbers.self).mutate(on: AccountAction.self) { _, _, send in
          Task {
            await release.wait()
            try await send(Add(value: 5))
            done.open()
          }
        }
      }
      .with(model: Numbers())
    }
    try await cluster.send(action: AccountAction.login)
    release.open()
    await done.wait()
    #expect(try await cluster.numbers() == [5])
  }

  @Test("a store prepares its model before any action comes")
  func preparation() async throws {
    let cluster = try await Bootstrap {
      Group {
        Store(model: Numbers.self).bootstrap { model in
          MainActor.assertIsolated()
          model.values = [1]
        }
        NumbersService()
      }
      .with(model: Numbers())
    }
    #expect(try await cluster.numbers() == [1])
  }
}
