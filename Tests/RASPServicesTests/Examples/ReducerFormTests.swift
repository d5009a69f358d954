import RASPServices
import TestSupport
import Testing

private actor Analytics {
  private(set) var events: [String] = []
  func event(_ name: String, _ detail: String) { events.append("\(name) \(detail)") }
}

private enum NavigationAction: Action {
  case goto(path: String)
  case back
}

private struct NavigationState: Sendable, Equatable {
  fileprivate(set) var path = ""
  fileprivate(set) var history: [String] = []
}

private struct NavigationContext: Sendable {
  fileprivate var analytics = Analytics()
}

private typealias NavigationReducer = Reducer<NavigationState, NavigationAction, NavigationContext>

extension Reducers {
  fileprivate static let navigate: NavigationReducer.Reduce = { state, action in
    switch action {
    case .goto(let path):
      state.history.append(state.path)
      state.path = path
    case .back:
      if let path = state.history.popLast() { state.path = path }
    }
    return { [state] _, context in
      await context.analytics.event("navigation", state.path)
    }
  }
}

private struct NavigationStateKey: EnvironmentKey {
  static let defaultValue = NavigationState()
}

private struct NavigationContextKey: EnvironmentKey {
  static let defaultValue = NavigationContext()
}

extension EnvironmentValues {
  fileprivate var navigationState: NavigationState {
    get { self[NavigationStateKey.self] }
    set { self[NavigationStateKey.self] = newValue }
  }

  fileprivate var navigationContext: NavigationContext {
    get { self[NavigationContextKey.self] }
    set { self[NavigationContextKey.self] = newValue }
  }
}

private struct NavigationService: Service {
  @Environment(\.navigationState) private var state
  @Environment(\.navigationContext) private var context

  var body: some Service {
    Reducer(state: state, context: context, reduce: Reducers.navigate)
  }
}

private enum AccountStep: Action, Equatable {
  case login
  case loginComplete
}

private struct AccountState: Sendable, Equatable {
  var isLoading = false
}

private actor MockedAccountContext {
  private(set) var calls = 0
  func login() { calls += 1 }
}

private typealias AccountReducer = Reducer<AccountState, AccountStep, MockedAccountContext>

extension Reducers {
  fileprivate static let account: AccountReducer.Reduce = { state, action in
    switch action {
    case .login:
      state.isLoading = true
      return { dispatch, context in
        await context.login()
        try await dispatch(AccountStep.loginComplete)
      }
    case .loginComplete:
      state.isLoading = false
      return nil
    }
  }
}

@Suite("The examples of the reducer form", .endsInTime)
struct ReducerFormTests {
  @Test("a navigation service that alone can change its state, with analytics as its context")
  func navigation() async throws {
    let (analytics, paths) = (Analytics(), Log<String>())
    let cluster = try await Bootstrap {
      Reducer(
        state: NavigationState(),
        context: NavigationContext(analytics: analytics),
        reduce: Reducers.navigate
      )
      .watch(NavigationState.self) { paths.note($0.path) }
    }
    try await cluster.send(action: NavigationAction.goto(path: "/a"))
    try await cluster.send(action: NavigationAction.goto(path: "/b"))
    try await cluster.send(action: NavigationAction.back)
    #expect(paths.entries == ["", "/a", "/b", "/a"])
    #expect(await analytics.events == ["navigation /a", "navigation /b", "navigation /a"])
  }

  @Test("a navigation service that takes its state and its context from the environment")
  func environment() async throws {
    let (analytics, paths) = (Analytics(), Log<String>())
    let cluster = try await Bootstrap {
      NavigationService()
        .watch(NavigationState.self) { paths.note($0.path) }
        .environment(\.navigationState, NavigationState(path: "/start"))
        .environment(\.navigationContext, NavigationContext(analytics: analytics))
    }
    try await cluster.send(action: NavigationAction.goto(path: "/a"))
    #expect(paths.entries == ["/start", "/a"])
    #expect(await analytics.events == ["navigation /a"])
  }

  @Test("a reduce function is tested as what it is, with a dispatch that records")
  func pureFunction() async throws {
    let recorded = Log<any Action>()
    let dispatch: Send = { action in recorded.note(action) }
    let context = MockedAccountContext()
    var state = AccountState()

    let effect = try #require(Reducers.account(&state, .login))
    #expect(state.isLoading)
    try await effect(dispatch, context)
    #expect(recorded.entries as? [AccountStep] == [.loginComplete])
    #expect(await context.calls == 1)

    #expect(Reducers.account(&state, .loginComplete) == nil)
    #expect(!state.isLoading)
  }

  @Test("and runs in a cluster unchanged")
  func inACluster() async throws {
    let (context, log) = (MockedAccountContext(), Log<Bool>())
    let cluster = try await Bootstrap {
      Reducer(state: AccountState(), context: context, reduce: Reducers.account)
        .watch(AccountState.self) { log.note($0.isLoading) }
    }
    try await cluster.send(action: AccountStep.login)
    #expect(log.entries == [false, true, false])
    #expect(await context.calls == 1)
  }
}
