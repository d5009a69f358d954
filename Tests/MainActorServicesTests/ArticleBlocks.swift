import RASPServices
import RASPTesting
import Streams
import TestSupport
import Testing

// The Swift of the article "RASPServices", word for word, in a module whose default isolation is the main actor. What
// the blocks do not declare is declared here.

nonisolated struct Identity: Sendable, Equatable {
  var name = ""
}

nonisolated struct Analytics: Sendable {
  let notes = Log<String>()

  func note(_ action: any Action) { notes.note("\(action)") }
}

struct AnalyticsKey: EnvironmentKey {
  static let defaultValue = Analytics()
}

nonisolated extension EnvironmentValues {
  var analytics: Analytics {
    get { self[AnalyticsKey.self] }
    set { self[AnalyticsKey.self] = newValue }
  }
}

nonisolated struct ArticlesState: Sendable, Equatable {
  var count = 0
}

enum ArticlesAction: Action {
  case load
}

nonisolated struct API: Sendable {}

extension Reducers {
  static let articles: Reducer<ArticlesState, ArticlesAction, API>.Reduce = { state, action in
    state.count += 1
    return nil
  }
}

final class List {
  private(set) var counts: [Int] = []

  func show(_ state: ArticlesState) { counts.append(state.count) }
}

nonisolated struct Warnings: Sendable {
  let notes = Log<String>()

  func warning(_ text: String) { notes.note(text) }
}

enum IdentityAction: Action { case login(String), logout }
enum ErrorAction: Action { case error(any Error) }

struct IdentityService: Service {
  @Environment(\.analytics) private var analytics

  var body: some Service {
    Store(model: Identity.self)
      .mutate(on: IdentityAction.self) { identity, action, send in
        if case .login(let name) = action { identity.name = name }
        analytics.note(action)
      }
  }
}

/// Runs the block that builds the tree.
func buildAndSend(
  log: Warnings,
  api: API,
  list: List,
  notifications: AsyncStream<any Action>
) async throws -> Cluster {
  let cluster = try await Bootstrap(diagnostics: { log.warning("\($0)") }) {
    Group {
      IdentityService().with(model: Identity())
      Reducer(state: ArticlesState(), context: api, reduce: Reducers.articles)
        .watch(ArticlesState.self) { @MainActor in list.show($0) }
    }
    .emit(using: notifications)
    .transformError { ErrorAction.error($0) }
  }
  try await cluster.send(action: IdentityAction.login("Kim"))
  return cluster
}

func testWithTheKit() async {
  await given(model: Identity()) { IdentityService() }
    .when(IdentityAction.login("Kim"))
    .then { $0.name = "Kim" }
}

func testWithACluster(recorder: ActionRecorder) async throws {
  let cluster = try await Bootstrap {
    IdentityService()
      .with(model: Identity())
      .environment(\.send, recorder.send)
  }
  try await cluster.send(action: IdentityAction.login("Kim"))
}
