import RASPServices
import Streams
import TestSupport
import Testing

private struct WordKey: EnvironmentKey {
  static let defaultValue = "default"
}

private struct HintKey: EnvironmentKey {
  static let defaultValue: String? = "default"
}

extension EnvironmentValues {
  fileprivate var hint: String? {
    get { self[HintKey.self] }
    set { self[HintKey.self] = newValue }
  }

  fileprivate var word: String {
    get { self[WordKey.self] }
    set { self[WordKey.self] = newValue }
  }
}

/// Writes down the word of its place, in its body and in a handler.
private struct Speaker: Service {
  @Environment(\.word) private var word
  let log: Log<String>

  var body: some Service {
    let inBody = word
    EmptyService().pre(action: AccountAction.self) { _ in log.note("\(inBody) \(word)") }
  }
}

/// Sets a word around what it is given: the content belongs to the service in whose body it was written.
private struct Wrapper<Content: Service>: Service {
  @Environment(\.word) private var word
  let onAction: @Sendable () -> Void
  @ServiceBuilder let content: () -> Content

  var body: some Service {
    Group {
      content()
      EmptyService().pre(action: ArticleAction.load) { [onAction] in onAction() }
    }
    .environment(\.word, "innermost")
  }
}

private struct Outer: Service {
  @Environment(\.word) private var word
  let log: Log<String>

  var body: some Service {
    Wrapper(onAction: { log.note("callback \(word)") }) {
      EmptyService().pre(action: ArticleAction.load) { log.note("content \(word)") }
    }
    .environment(\.word, "inner")
  }
}

@Suite("The environment", .endsInTime)
struct EnvironmentTests {
  @Test("SVC-10: the nearest environment modifier wins, and siblings are unaffected")
  func nearest() async throws {
    let log = Log<String>()
    let cluster = try await Bootstrap {
      Group {
        Speaker(log: log)
        Speaker(log: log).environment(\.word, "near").environment(\.word, "far")
        Speaker(log: log)
      }
      .serial()
      .environment(\.word, "group")
      Group { Speaker(log: log) }
    }
    try await cluster.send(action: AccountAction.login)
    #expect(log.entries.count == 4)
    #expect(log.entries.filter { $0 != "default default" } == ["group group", "near near", "group group"])
  }

  @Test("SVC-10: transforms compose from outside in")
  func transforms() async throws {
    let log = Log<String>()
    let cluster = try await Bootstrap {
      Speaker(log: log)
        .transformEnvironment(\.word) { $0 += " inner" }
        .transformEnvironment(\.word) { $0 += " outer" }
        .environment(\.word, "base")
    }
    try await cluster.send(action: AccountAction.login)
    #expect(log.entries == ["base outer inner base outer inner"])
  }

  @Test("SVC-12: reading the environment outside of a cluster gives the default")
  func outside() async {
    let speaker = Environment(\.word)
    #expect(speaker.wrappedValue == "default")
    #expect(EnvironmentValues().word == "default")
    let send = Environment(\.send).wrappedValue
    await #expect(throws: ClusterError.noCluster) { try await send(AccountAction.login) }
  }

  @Test("one service value in two places reads two environments, at the same time, in two clusters too")
  func oneValueTwoPlaces() async throws {
    let log = Log<String>()
    let speaker = Speaker(log: log)
    let first = try await Bootstrap {
      speaker.environment(\.word, "left")
      speaker.environment(\.word, "right")
    }
    let second = try await Bootstrap { speaker.environment(\.word, "other") }
    try await first.send(action: AccountAction.login)
    try await second.send(action: AccountAction.login)
    #expect(Set(log.entries) == ["left left", "right right", "other other"])
    #expect(log.count == 3)
  }

  @Test("a closure reads the place of the service in whose body it was written, whichever service runs it")
  func handedDown() async throws {
    let log = Log<String>()
    let cluster = try await Bootstrap { Outer(log: log).environment(\.word, "outer") }
    try await cluster.send(action: ArticleAction.load)
    #expect(Set(log.entries) == ["callback outer", "content outer"])
  }

  @Test("handlers of every kind read the environment, and so do the tasks they start")
  func everywhere() async throws {
    struct Everything: Service {
      @Environment(\.word) private var word
      let log: Log<String>

      var body: some Service {
        Group {
          Store(model: Numbers.self)
            .bootstrap { _ in log.note("prepare \(word)") }
            .mutate(on: AccountAction.self) { _, _, _ in log.note("mutate \(word)") }
            .with(model: Numbers())
          Reducer(state: 0) { (state: inout Int, action: AccountAction) in
            state += 1
            log.note("reduce \(word)")
            return { _, _ in await Task { log.note("effect \(word)") }.value }
          }
          .watch(Int.self) { _ in log.note("watch \(word)") }
        }
        .bootstrap { log.note("bootstrap \(word)") }
        .teardown { log.note("teardown \(word)") }
        .observe(on: AccountAction.self) { _ in log.note("observe \(word)") }
        .post(action: AccountAction.login) { log.note("post \(word)") }
        .pre(action: AccountAction.login) { throw Broken.first }
        .transformError { _ in
          log.note("transform \(word)")
          return ArticleAction.load
        }
        .transformEnvironment(\.word) { $0 += " and \(word)" }
        .environment(\.word, "inside")
      }
    }
    let log = Log<String>()
    let cluster = try await Bootstrap { Everything(log: log).environment(\.word, "outside") }
    try await cluster.send(action: AccountAction.login)
    try await cluster.send(action: AccountAction.logout)
    await cluster.shutdown()
    let kinds = [
      "prepare", "bootstrap", "watch", "transform", "observe", "mutate", "reduce", "effect", "teardown",
    ]
    #expect(Set(log.entries) == Set(kinds.map { "\($0) outside" }))
  }

  @Test("an object is found by its type, and one that is missing is reported")
  func objects() async throws {
    struct Needing: Service {
      @EnvironmentObject private var named: Named?
      let log: Log<String>

      var body: some Service {
        EmptyService().pre(action: AccountAction.login) { log.note(named?.name ?? "nil") }
      }
    }
    let (log, problems) = (Log<String>(), Log<String>())
    let cluster = try await Bootstrap(diagnostics: { problems.note("\($0)") }) {
      Group {
        Needing(log: log).environmentObject(Named("near")).environmentObject(Named("far"))
        Needing(log: log)
      }
      .serial()
    }
    try await cluster.send(action: AccountAction.login)
    #expect(log.entries == ["near", "nil"])
    #expect(problems.count == 1)
    #expect(problems.entries.first?.contains("Needing asks for an object of type Named") == true)
  }

  @Test("a default that is optional is read where no value was set, and nil where nil was set")
  func optionals() async throws {
    #expect(EnvironmentValues().hint == "default")
    var values = EnvironmentValues()
    values.hint = nil
    #expect(values.hint == nil)
    values.hint = "set"
    #expect(values.hint == "set")
  }

  @Test("properties are found in optionals, tuples, cases and structs inside of a service")
  func insideOfOthers() async throws {
    struct Helper: Sendable {
      @Environment(\.word) var word
    }
    enum Choice: Sendable {
      case helper(Helper)
    }
    struct Helped: Service {
      var maybe: Helper? = Helper()
      let pair = (Helper(), 1)
      let choice = Choice.helper(Helper())
      let log: Log<String>

      var body: some Service {
        EmptyService().pre(action: AccountAction.login) {
          guard case .helper(let helper) = choice else { return }
          log.note("\(maybe?.word ?? "") \(pair.0.word) \(helper.word)")
        }
      }
    }
    let log = Log<String>()
    let cluster = try await Bootstrap { Helped(log: log).environment(\.word, "here") }
    try await cluster.send(action: AccountAction.login)
    #expect(log.entries == ["here here here"])
  }
}
