import Aggregate

/// A service around a state that changes by a pure function, and in no other way.
///
///     extension Reducers {
///       static let account: AccountReducer.Reduce = { state, action in
///         switch action {
///         case .logout: state.isLoading = true
///         …
///         }
///         return { [state] dispatch, context in
///           await context.logOut(state.user)
///           try await dispatch(AccountAction.logOutComplete)
///         }
///       }
///     }
///
///     Reducer(state: AccountState(), context: api, reduce: Reducers.account)
///
/// The state is folded by an `Aggregator`: one action at a time, in place, each giving one snapshot. Watchers above (see
/// ``Service/watch(_:_:)``) get the snapshots, in order; then the side effect runs, outside of the fold, and may take its
/// time, send, and read the state it has captured. An action is done when its side effect is.
///
/// ### Testing
///
/// A reduce function is called like any other: hand it a state and an action, look at the state, and call the side effect
/// with a dispatch that records.
///
/// - Complexity: what `reduce` costs; the state is changed in its place.
public struct Reducer<State: Sendable, Input: Action, Context: Sendable>: Service, PrimitiveService, Sendable {
  /// A primitive service has no body of its own.
  public typealias Body = EmptyService

  /// What is to be done apart from changing the state. Runs after the fold; may throw, and then the action has failed.
  public typealias SideEffect = @Sendable (_ dispatch: @escaping Dispatch, _ context: Context) async throws -> Void

  /// Changes the state as the action asks, and says what else is to be done. Depends on its parameters alone.
  public typealias Reduce = @Sendable (_ state: inout State, _ action: Input) -> SideEffect?

  private let state: State
  private let context: Context
  private let reduce: Reduce
  private let watching: ReducerMachine<State, Input, Context>.Watching

  /// A reducer whose watchers hear of states that differ from the one before.
  ///
  /// - Parameters:
  ///   - state: the state to begin with.
  ///   - context: what side effects get: the world outside.
  ///   - reduce: changes the state.
  public init(state: State, context: Context, reduce: @escaping Reduce) where State: Equatable {
    self.init(state: state, context: context, reduce: reduce) { $0.select(\.state).observable }
  }

  /// A reducer whose state cannot be compared: its watchers hear of every snapshot.
  ///
  /// - Parameters:
  ///   - state: the state to begin with.
  ///   - context: what side effects get: the world outside.
  ///   - reduce: changes the state.
  @_disfavoredOverload
  public init(state: State, context: Context, reduce: @escaping Reduce) {
    self.init(state: state, context: context, reduce: reduce) { $0.states.map { $0.state } }
  }

  private init(
    state: State,
    context: Context,
    reduce: @escaping Reduce,
    watching: @escaping ReducerMachine<State, Input, Context>.Watching
  ) {
    self.state = state
    self.context = context
    self.reduce = reduce
    self.watching = watching
  }

  func nodes(at place: Place, in building: Building) -> [Node] {
    let name = "Reducer<\(State.self)>"
    let (send, scope) = (place.send, place.scope)
    let watchers = place.watchers[ObjectIdentifier(State.self)] ?? []
    for given in watchers { given.isUsed = true }
    let machine = ReducerMachine(
      state: state,
      context: context,
      reduce: reduce,
      watchers: watchers.compactMap { $0.content as? Watcher<State> },
      watching: watching
    )
    for notice in machine.takeInitialNotices() { building.announce(notice) }
    let handler = Handler(on: Input.self) { action, delivery in
      try await Scope.within(scope) { try await machine.receive(action, in: delivery, send: send) }
    }
    return [Node(name: name, handlers: [handler])]
  }
}

extension Reducer where Context == Void {
  /// A reducer whose side effects need nothing from outside, and whose watchers hear of states that differ.
  public init(state: State, reduce: @escaping Reduce) where State: Equatable {
    self.init(state: state, context: (), reduce: reduce)
  }

  /// A reducer whose side effects need nothing from outside, and whose state cannot be compared.
  @_disfavoredOverload
  public init(state: State, reduce: @escaping Reduce) {
    self.init(state: state, context: (), reduce: reduce)
  }
}

extension Reducer where State == Void {
  /// A reducer without a state: side effects only.
  public init(context: Context, reduce: @escaping Reduce) {
    self.init(state: (), context: context, reduce: reduce)
  }
}

/// A place for reduce functions: extend it with yours, next to the state they change.
///
///     extension Reducers {
///       static let navigate: NavigationReducer.Reduce = { state, action in … }
///     }
public enum Reducers {}
