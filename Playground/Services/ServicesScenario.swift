import RASPInsight
import RASPServices
import Streams

/// A small cluster: who is there, what there is to read, a ticking stream of news, and errors that become actions.
struct ServicesScenario: ScenarioRun {
  static let defaultDuration: Duration = .seconds(3)
  static let newsPeriod: Duration = .milliseconds(500)

  let options: Options
  /// Where time comes from.
  var scheduler: any Scheduler = .continuous
  /// The user's wish to end the run.
  var interrupts: Observable<Void, Never> = .interrupts

  func run(output: Output) async throws(RunFailure) {
    do {
      try await show(output)
    } catch {
      throw RunFailure(.software, "the cluster failed: \(error)")
    }
  }

  private func show(_ output: Output) async throws {
    let narrator = Narrator(output: output, json: options.json)
    let say: @Sendable (String) -> Void = { narrator.tell("service", $0) }
    let newest = Lock(ArticlesState())
    let (end, isOver) = AsyncStream.makeStream(of: Void.self)

    // Build: the tree is read once, and becomes a running cluster. Mistakes in it are told by name.
    let cluster = try await Bootstrap(diagnostics: { narrator.tell("diagnostic", "\($0)") }) {
      Group {
        IdentityService(say: say)
          .with(model: Identity())
        ArticlesService()
          .watch(ArticlesState.self) { state in
            newest.withLock { $0 = state }
            narrator.tell("state", summary(state))
          }
      }
      .serial()
      .transformError { error in
        ProblemAction.failed("\(error)")
      }
      .emit(using: news)
      .observe(on: IdentityAction.self) { narrator.tell("action", "identity: \($0)") }
      .observe(on: ArticlesAction.self) { narrator.tell("action", "articles: \(name($0))") }
      .observe(on: ProgramAction.closing) { isOver.finish() }
      ProblemsService(say: say)
    }

    // Look: what runs there, and what it reacts to.
    narrator.tell("cluster", "\(cluster)")

    // Use: there is one way in. From here on the news come by themselves.
    try await cluster.send(action: ProgramAction.launched)
    for await _ in end {}
    try await cluster.send(action: IdentityAction.logout)

    // Close: what runs is let finish, then everything is taken down, the last one first.
    await cluster.shutdown()
    do {
      try await cluster.send(action: ProgramAction.launched)
    } catch {
      narrator.tell("ended", "\(error)")
    }
    let state = newest.withLock { $0 }
    narrator.summarize(state.json, lines: ["articles     \(summary(state))"])
  }

  /// A stream of actions: an article every now and then, and the end.
  private var news: Observable<any Action, Never> {
    .merge(
      Observable<Int, Never>.interval(Self.newsPeriod, on: scheduler).map { ArticlesAction.published(id: $0 + 1) },
      options.ends(after: Self.defaultDuration, on: scheduler, or: interrupts).map { ProgramAction.closing }
    )
  }
}

extension ArticlesState {
  fileprivate var json: JSON {
    .object(["articles": .integer(Int64(articles.count)), "newest": .string(articles.last?.title)])
  }
}

private func summary(_ state: ArticlesState) -> String {
  let newest = state.articles.last.map { ", the newest is “\($0.title)”" } ?? ""
  return "\(state.articles.count) articles\(newest)\(state.isLoading ? ", loading" : "")"
}

private func name(_ action: ArticlesAction) -> String {
  switch action {
  case .load: "load"
  case .loaded(let articles): "loaded \(articles.map(\.id))"
  case .published(let id): "published \(id)"
  }
}
