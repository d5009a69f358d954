import RASPServices
import TestSupport
import Testing

@Suite("Diagnostics", .endsInTime)
struct DiagnosticsTests {
  /// The problems of a tree, and of an action sent to it.
  private func problems(
    sending action: AccountAction? = nil,
    @ServiceBuilder _ content: @MainActor () -> some Service
  ) async throws -> [String] {
    let problems = Log<String>()
    let cluster = try await Bootstrap(diagnostics: { problems.note("\($0)") }, content: content)
    if let action { try await cluster.send(action: action) }
    return problems.entries
  }

  @Test("a tree without mistakes is silent")
  func nothing() async throws {
    #expect(try await problems { NumbersService().with(model: Numbers()) } == [])
  }

  @Test("an action without a handler is reported by name; looking on is not handling")
  func unhandled() async throws {
    let found = try await problems(sending: .login) {
      NumbersService().with(model: Numbers())
        .observe { _ in }
        .pre { _ in }
    }
    #expect(found.count == 1)
    #expect(found.first?.hasPrefix("AccountAction was sent, and no service handles it") == true)
    #expect(try await problems(sending: .login) { Recording(name: "a", log: Log()) } == [])
  }

  @Test("two models of one type on one service are reported, and the inner one is used")
  func ambiguousModel() async throws {
    let problems = Log<String>()
    let cluster = try await Bootstrap(diagnostics: { problems.note("\($0)") }) {
      NumbersService().with(model: Numbers(values: [1])).serial().with(model: Numbers(values: [2]))
    }
    #expect(problems.entries.count == 1)
    #expect(problems.entries.first?.hasPrefix("Two models of type Numbers were given to one service") == true)
    #expect(try await cluster.numbers() == [1])

    // One further up, for other services, is as it should be.
    let nested = try await self.problems {
      Group {
        NumbersService().with(model: Numbers())
        NumbersService()
      }
      .with(model: Numbers())
    }
    #expect(nested == [])
  }

  @Test("a watcher without a reducer is reported")
  func unusedWatcher() async throws {
    let found = try await problems { Group { EmptyService() }.watch(Numbers.self) { _ in } }
    #expect(found.count == 1)
    #expect(found.first?.hasPrefix("Numbers is watched in Cluster, and no reducer under it has this state") == true)
  }

  @Test("without a listener, a mistake that leaves part of the tree dead is thrown")
  func thrown() async throws {
    let problem = try await #require(throws: ServiceDiagnostic.self) {
      _ = try await Bootstrap { NumbersService() }
    }
    guard case .missingModel("Numbers", "NumbersService › Store<Numbers>", []) = problem else {
      Issue.record("\(problem)")
      return
    }
    await #expect(throws: ServiceDiagnostic.self) {
      _ = try await Bootstrap { NumbersService().with(model: [1, 2, 3]) }
    }
    // Others are not.
    let cluster = try await Bootstrap { EmptyService().with(model: Numbers()) }
    try await cluster.send(action: AccountAction.login)
  }

  @Test("every problem and every error names its remedy")
  func remedies() {
    let problems: [ServiceDiagnostic] = [
      .unhandledAction(action: "A"), .missingModel(model: "M", store: "S", available: []),
      .ambiguousModel(model: "M", place: "P"), .unusedModel(model: "M", place: "P"),
      .missingEnvironmentObject(object: "O", service: "S"), .unusedWatcher(state: "S", place: "P"),
      .endlessBody(service: "S"), .emitterFailed(place: "P", error: Broken.first),
      .emittedActionFailed(action: "A", place: "P", error: Broken.first),
      .furtherError(action: "A", error: Broken.first), .teardownFailed(place: "P", error: Broken.first),
      .lineGrown(place: "P"),
    ]
    let words = ["Add", "Remove", "Move", "Recover", "Let it end", "Handle", "Wait"]
    for problem in problems { #expect(words.contains { "\(problem)".contains($0) }, "\(problem)") }
    for error in [ClusterError.noCluster, .notReady, .shutDown, .released] {
      #expect(["Put", "Send", "Keep"].contains { error.description.contains($0) })
    }
  }

  @Test("an observer of a type does not handle its actions")
  func onlooker() async throws {
    let log = Log<String>()
    let found = try await problems(sending: .login) {
      EmptyService().observe(on: AccountAction.self) { log.note("\($0)") }
    }
    #expect(found.count == 1)
    #expect(log.entries == ["login"])
  }

  @Test("a store without its model does not pass over actions in silence")
  func missingModel() async throws {
    await #expect(throws: ServiceDiagnostic.self) { _ = try await Bootstrap { NumbersService() } }
    await #expect(throws: ServiceDiagnostic.self) {
      _ = try await Bootstrap { NumbersService().with(model: [1, 2, 3]) }
    }
  }

  #if DEBUG
    private enum Unasked: Action { case question }

    @Test("without `diagnostics` a debug build writes each kind of mistake once, with the remedy")
    func written() async throws {
      let texts = try await UnheardTexts.written(containing: "Unasked") { _ in
        let cluster = try await Bootstrap { NumbersService().with(model: Numbers()) }
        try await cluster.send(action: Unasked.question)
        try await cluster.send(action: Unasked.question)
      }
      #expect(texts.count == 1)
      #expect(texts.first?.contains("no service handles it") == true)
    }
  #endif
}
