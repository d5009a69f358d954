import RASPServices
import RASPTesting
import Streams
import TestSupport
import Testing

private struct Deposit<Owner>: Action {}

/// A service for each depth, all of one type.
private struct Level: Service {
  let depth: Int
  let log: Log<Int>
  /// The number of services on each level that lead nowhere.
  var width = 0

  var body: some Service {
    for _ in 0..<width {
      On(Deposit<Int>.self) { _, _ in }
    }
    if depth == 0 {
      On(AccountAction.self) { _, _ in log.note(0) }
    } else {
      Level(depth: depth - 1, log: log, width: width) as any Service
    }
  }
}

@Suite("Deep trees", .endsInTime)
struct DeepTreeTests {
  @Test("SVC-21: a thousand services on two hundred levels start, and an action reaches the last one")
  func twoHundredLevels() async throws {
    let log = Log<Int>()
    let cluster = try await Bootstrap { Level(depth: 200, log: log, width: 4) }
    try await cluster.send(action: AccountAction.login)
    #expect(log.count == 1)
  }

  @Test("SVC-21: two thousand levels are read, described and released without a deep stack, without a report")
  func twoThousandLevels() async throws {
    let (log, problems) = (Log<Int>(), Log<String>())
    let slot = Box<Cluster>()
    slot.value = try await Bootstrap(diagnostics: { problems.note("\($0)") }) {
      Level(depth: 2_000, log: log)
        .transformError { _ in nil }
    }
    try await slot.value?.send(action: AccountAction.login)
    #expect(log.count == 1)
    #expect(problems.entries == [])
    #expect(slot.value?.description.split(separator: "\n").count == 2_003)
    // A thread of a test has a smaller stack than the main thread.
    await onThread { slot.take() }
  }

  @Test("SVC-21: a body that does not end is reported with the name of the service that comes back")
  func nameOfTheEndless() async throws {
    struct Leaf: Service {
      var body: some Service { EmptyService() }
    }
    struct Ping: Service {
      var body: some Service {
        Leaf()
        pong
      }
      private var pong: any Service { Pong() }
    }
    struct Pong: Service {
      var body: some Service {
        Leaf()
        Group { Ping() }
      }
    }
    let problems = Log<String>()
    let cluster = try await Bootstrap(diagnostics: { problems.note("\($0)") }) { Ping() }
    #expect(problems.count == 1)
    #expect(problems.entries.first?.hasPrefix("The body of Ping leads to Ping again") == true)
    withExtendedLifetime(cluster) {}
  }
}

@Suite("Sends inside of sends", .endsInTime)
struct NestedSendTests {
  @Test("SVC-22: ten thousand sends, each inside of the one before, work, also while the cluster shuts down")
  func nested() async throws {
    let (log, slot) = (Log<Int>(), Box<Cluster>())
    let cluster = try await Bootstrap {
      On(Add.self) { action, send in
        if action.value == 5_000 { await slot.value?.shutdown() }
        if action.value > 0 { try await send(Add(value: action.value - 1)) } else { log.note(0) }
      }
    }
    slot.value = cluster
    try await cluster.send(action: Add(value: 10_000))
    #expect(log.count == 1)
    await cluster.shutdown()
    slot.value = nil
  }

  @Test(
    "SVC-22: a task that the innermost of ten thousand sends leaves behind keeps none of them"
  )
  func leftBehind() async throws {
    let (tracker, returned, done) = (LifetimeTracker(), Latch(), Latch())
    struct Nested: Action {
      let value: Int
      let object: LifetimeTracker.Object
    }
    let transformed = Log<String>()
    let cluster = try await Bootstrap {
      On(Nested.self) { action, send in
        if action.value > 0 { return try await send(Nested(value: action.value - 1, object: tracker.make())) }
        Task {
          await returned.wait()
          for _ in 0..<100 { try await send(ArticleAction.load) }
          done.open()
        }
      }
      On(ArticleAction.self) { _, _ in throw Broken.first }
        .transformError { error in
          transformed.note("\(error)")
          return AccountAction.failed
        }
    }
    try await cluster.send(action: Nested(value: 10_000, object: tracker.make()))
    #expect(await eventually { tracker.liveCount == 0 })
    returned.open()
    await done.wait()
    #expect(transformed.count == 100)
  }

  @Test("ten thousand sends at once are each handled once")
  func atOnce() async throws {
    let cluster = try await Bootstrap { NumbersService().with(model: Numbers()) }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for value in 0..<10_000 { group.addTask { try await cluster.send(action: Add(value: value)) } }
      try await group.waitForAll()
    }
    #expect(try await cluster.numbers().sorted() == Array(0..<10_000))
  }

  /// A tree of siblings that run one after the other, as data.
  private indirect enum Program: Sendable {
    case leaf(Int, fails: Bool)
    case group([Program], stops: Bool, transform: Int?, takes: Bool)

    static func random(_ depth: Int, _ next: inout Int, _ random: inout SplitMix) -> Program {
      guard depth > 0, Int.random(in: 0..<4, using: &random) > 0 else {
        next += 1
        return .leaf(next, fails: Int.random(in: 0..<3, using: &random) == 0)
      }
      next += 1
      let own = next
      return .group(
        (0..<Int.random(in: 1...3, using: &random)).map { _ in .random(depth - 1, &next, &random) },
        stops: Bool.random(using: &random),
        transform: Bool.random(using: &random) ? own : nil,
        takes: Bool.random(using: &random)
      )
    }

    func service(_ log: Log<String>) -> any Service {
      switch self {
      case .leaf(let number, let fails):
        return EmptyService().pre(action: AccountAction.login) {
          log.note("\(number)")
          if fails { throw TestError(code: number) }
        }
      case .group(let programs, let stops, let transform, let takes):
        let group = Group { for program in programs { program.service(log) } }
          .serial(stoppingAtErrors: stops)
          .post(action: AccountAction.login) { log.note("post") }
        guard let transform else { return group }
        return group.transformError { _ in
          log.note("\(transform) asked")
          return takes ? AccountAction.failed : nil
        }
      }
    }

    /// The reference: what the rules say, word for word. Returns whether an error is left, and whether something
    /// failed.
    func run(_ transforms: [(Int, Bool)], _ log: inout [String]) -> (isLeft: Bool, hasFailed: Bool, wasAsked: Bool) {
      func ask(_ log: inout [String], _ asked: ArraySlice<(Int, Bool)>) -> Bool {
        for (transform, takes) in asked.reversed() {
          log.append("\(transform) asked")
          if takes {
            log.append("failed")
            return false
          }
        }
        return true
      }
      switch self {
      case .leaf(let number, let fails):
        log.append("\(number)")
        return (fails, fails, false)
      case .group(let programs, let stops, let transform, let takes):
        let inner = transforms + (transform.map { [($0, takes)] } ?? [])
        var (isLeft, hasFailed, wasAsked) = (false, false, false)
        for program in programs {
          var result = program.run(inner, &log)
          hasFailed = hasFailed || result.hasFailed
          // A single sibling stands there by itself.
          if programs.count > 1, !stops, result.isLeft, !result.wasAsked {
            result.isLeft = ask(&log, inner[...])
            result.wasAsked = true
          }
          if result.isLeft || (stops && programs.count > 1 && result.hasFailed) {
            (isLeft, wasAsked) = (result.isLeft, result.wasAsked)
            break
          }
        }
        if !hasFailed { log.append("post") }
        guard transform != nil else { return (isLeft, hasFailed, wasAsked) }
        if isLeft, !wasAsked { isLeft = ask(&log, inner.suffix(1)) }
        return (isLeft, isLeft, wasAsked)
      }
    }
  }

  @Test("SVC-05: random trees of siblings that fail do what the rules say")
  func randomPrograms() async throws {
    for seed in 0..<rounds(2_000) {
      var (random, next) = (SplitMix(seed: UInt64(seed)), 0)
      let program = Program.random(4, &next, &random)
      let log = Log<String>()
      let cluster = try await Bootstrap {
        program.service(log)
        EmptyService().pre(action: AccountAction.failed) { log.note("failed") }
      }
      var expected: [String] = []
      let (isLeft, _, _) = program.run([], &expected)
      let threw: Bool
      do {
        try await cluster.send(action: AccountAction.login)
        threw = false
      } catch {
        threw = true
      }
      #expect(log.entries == expected, "seed \(seed): \(program)")
      #expect(threw == isLeft, "seed \(seed)")
    }
  }
}
