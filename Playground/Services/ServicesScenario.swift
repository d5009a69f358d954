import Aggregate
import RASPInsight
import RASPServices
import Streams

extension Scenario {
  static let services = Scenario(
    name: "services",
    options: [.seconds, .json, .why],
    help: """
      A small cluster of services: who is there, what there is to read, a ticking stream of news,
      and errors that become actions. Prints its tree and what each part does. Ends after 3
      seconds. --why leads on to the actions.
      """
  ) { arguments throws(RunFailure) in
    ServicesScenario(options: try Options(arguments, explaining: NewsState.explainedFields.map(\.name)))
  }
}

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
    let narrator = Narrator(output: output, json: options.json)

    // The state: what the services tell are the events of an aggregator, which can be recorded.
    let news = Aggregator(initial: NewsState())
    let insight = Insight(on: scheduler)
    let recorder = options.record(news, as: "news", by: insight)
    let actions: ActivityRecorder?
    do {
      actions = try await show(narrator, telling: news, insight)
    } catch {
      throw RunFailure(.software, "the cluster failed: \(error)")
    }
    let explanation = options.explain(recorder, by: NewsState.explainedFields)
    withExtendedLifetime(actions) {}
    let articles = news.snapshot.articles
    narrator.summarize(articles.json, lines: ["articles     \(summary(articles))"], explanation)
  }

  /// - Returns: the recorder of the actions, if the run is recorded.
  private func show(
    _ narrator: Narrator,
    telling news: Aggregator<NewsState>,
    _ insight: Insight
  ) async throws -> ActivityRecorder? {
    let say: @Sendable (String) -> Void = { narrator.tell("service", $0) }
    let (end, isOver) = AsyncStream.makeStream(of: Void.self)

    // Build: the tree is read once, and becomes a running cluster. Mistakes in it are told by name.
    let cluster = try await Bootstrap(diagnostics: { narrator.tell("diagnostic", "\($0)") }) {
      Group {
        IdentityService(say: say)
          .with(model: Identity())
        ArticlesService()
          .watch(ArticlesState.self) { state in
            news.send(.articles(state))
            narrator.tell("state", summary(state))
          }
      }
      .serial()
      .transformError { error in
        ProblemAction.failed("\(error)")
      }
      .emit(using: ticks.values(buffering: .unbounded))
      .observe(on: IdentityAction.self) { action in
        narrator.tell("action", "identity: \(action)")
        news.send(.identity(action))
      }
      .observe(on: ArticlesAction.self) { narrator.tell("action", "articles: \(name($0))") }
      .observe(on: ProgramAction.closing) { isOver.finish() }
      ProblemsService(say: say)
        .observe(on: ProblemAction.self) { news.send(.problem($0)) }
    }

    // A recording of the cluster leads the causes of the events on, to the actions.
    let actions = options.explainedField == nil ? nil : insight.record(cluster, as: "cluster")

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
    return actions
  }

  /// A stream of actions: an article every now and then, and the end, behind all that came before it.
  private var ticks: Observable<any Action, Never> {
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
