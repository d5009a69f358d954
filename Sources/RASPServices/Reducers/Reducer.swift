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
/// An `Aggregator` folds the state in its place. Watchers above (see ``Service/watch(_:_:)``) get a snapshot of each
/// change. The side effect runs after the fold. It may take time, send, and read the state that it captured.
///
/// ### Testing
///
/// A reduce function is called like any other function: give it a state and an action, look at the state, and call the
/// side effect with a dispatch that records.
///
/// - Ordering: one action is folded at a time. An action's snapshot goes to the watchers, then its side effect runs,
///   and then the action is done. Side effects of different actions run at the same time.
/// - Errors: if a side effect throws, its action has failed. The state keeps its change.
/// - Complexity: that of `reduce`.
public struct Reducer<State: Sendable, Input: Action, Context: Sendable>: Service, PrimitiveService, Sendable {
  /// A primitive service has no body of its own.
  public typealias Body = EmptyService

  /// The work that follows a change of the state. It runs after the fold.
  ///
  /// - Errors: if it throws, the action has failed.
  public typealias SideEffect = @Sendable (_ dispatch: @escaping Dispatch, _ context: Context) async throws -> Void

  /// Changes the state as the action asks, and returns the side effect, if there is one. It depends on its parameters
  /// alone.
  public typealias Reduce = @Sendable (_ state: inout State, _ action: Input) -> SideEffect?

  private let state: State
  private let context: Context
  private let reduce: Reduce
  private let watching: ReducerMachine<State, Input, Context>.Watching

  /// Makes a reducer whose watchers get each state that differs from the one before.
  ///
  /// - Parameters:
  ///   - state: the first state.
  ///   - context: the world outside, which side effects get.
  ///   - reduce: changes the state.
  public init(state: State, context: Context, reduce: @escaping Reduce) where State: Equatable {
    self.init(state: state, context: context, reduce: reduce) { $0.select(\.state).observable }
  }

  /// Makes a reducer whose state cannot be compared: its watchers get every snapshot.
  ///
  /// - Parameters:
  ///   - state: the first state.
  ///   - context: the world outside, which side effects get.
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

  func nodes(in context: BuildContext, with builder: TreeBuilder) -> [Node] {
    let name = "Reducer<\(State.self)>"
    let (send, scope) = (context.send, context.scope)
    let watchers = context.watchers[ObjectIdentifier(State.self)] ?? []
    for provided in watchers { provided.isUsed = true }
    let machine = ReducerMachine(
      state: state,
      context: self.context,
      reduce: reduce,
      watchers: watchers.compactMap { $0.content as? Watcher<State> },
      watching: watching
    )
    for notice in machine.takeInitialNotices() { builder.announce(notice) }
    let handler = Handler(on: Input.self) { action, dispatch in
      try await Scope.within(scope) { try await machine.receive(action, in: dispatch, send: send) }
    }
    return [Node(name: name, handlers: [handler])]
  }
}

extension Reducer where Context == Void {
  /// Makes a reducer whose side effects need nothing from outside, and whose watchers get each state that differs from
  /// the one before.
  public init(state: State, reduce: @escaping Reduce) where State: Equatable {
    self.init(state: state, context: (), reduce: reduce)
  }

  /// Makes a reducer whose side effects need nothing from outside, and whose state cannot be compared.
  @_disfavoredOverload
  public init(state: State, reduce: @escaping Reduce) {
    self.init(state: state, context: (), reduce: reduce)
  }
}

extension Reducer where State == Void {
  /// Makes a reducer without a state, which has side effects only.
  public init(context: Context, reduce: @escaping Reduce) {
    self.init(state: (), context: context, reduce: reduce)
  }
}

/// A namespace for reduce functions. Extend it with yours, beside the state that they change.
///
///     extension Reducers {
///       static let navigate: NavigationReducer.Reduce = { state, action in … }
///     }
public enum Reducers {}
