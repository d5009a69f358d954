// A program in the words of Trellis, the form with reducers, after the edits of the tables of "Migrating from Trellis".
// What stood in a line before an edit stands beside it. `.ci/run` has the compiler read it outside of the package.

import RASPServices

enum CourseAction: Action {
  case plot(to: String)
  case plotted(miles: Int)
  case clear
}

/// Where the ship is bound.
public struct CourseState: Sendable {  // public struct CourseState
  fileprivate(set) var harbour = ""
  fileprivate(set) var miles: Int?
}

/// What the pilot asks.
public struct CourseContext: Sendable {  // public struct CourseContext
  var distance: @Sendable (String) async throws -> Int = { $0.count }
}

typealias CourseReducer = Reducer<CourseState, CourseAction, CourseContext>

extension Reducers {
  static let course: CourseReducer.Reduce = { state, action in
    switch action {
    case .plot(let harbour):
      state.harbour = harbour
      state.miles = nil
      return { [state] dispatch, context in
        let miles = try await context.distance(state.harbour)
        try await dispatch(CourseAction.plotted(miles: miles))  // dispatch(action: .plotted(miles: miles))
      }
    case .plotted(let miles):
      state.miles = miles
      return nil
    case .clear:
      state = CourseState()
      return nil
    }
  }
}

private struct CourseStateKey: EnvironmentKey {
  static let defaultValue = CourseState()  // static var
}

private struct CourseContextKey: EnvironmentKey {
  static let defaultValue = CourseContext()  // static var
}

extension EnvironmentValues {
  var courseState: CourseState {
    get { self[CourseStateKey.self] }
    set { self[CourseStateKey.self] = newValue }
  }

  var courseContext: CourseContext {
    get { self[CourseContextKey.self] }
    set { self[CourseContextKey.self] = newValue }
  }
}

struct CourseService: Service {
  @Environment(\.courseState) private var state
  @Environment(\.courseContext) private var context

  var body: some Service {
    Reducer(state: state, context: context, reduce: Reducers.course)
  }
}

func navigate(pilots: AsyncStream<CourseAction>) async throws -> Cluster {
  let cluster = try await Bootstrap {
    Emitter(stream: pilots) {
      CourseService()
      // Reducer(initialState: …
      Reducer(state: CourseState(), context: CourseContext(), reduce: Reducers.course)
    }
    .transformError { _ in CourseAction.clear }
    .watch(CourseState.self) { state in print("to \(state.harbour), \(state.miles ?? 0) miles") }
  }
  try await cluster.send(action: CourseAction.plot(to: "Cuxhaven"))
  return cluster
}

func replay(pilots: AsyncStream<CourseAction>) async throws -> Cluster {
  try await Bootstrap {
    Emitter(stream: pilots, consumeAtBootstrap: true) {  // Emitter(stream: pilots) { … }.consume()
      CourseService()
    }
  }
}

/// What a test of the seed looks like: the reducer, then its side effect with a dispatch that records.
func test() async throws {
  var state = CourseState()
  let dispatch: Send = { action in print("\(action)") }  // let dispatch: Dispatch
  if let sideEffect = Reducers.course(&state, .plot(to: "Husum")) { try await sideEffect(dispatch, CourseContext()) }
}
