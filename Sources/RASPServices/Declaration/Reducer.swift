import RASPSupport
public import Streams

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
public struct Reducer<State: Sendable, Input: Action, Context: Sendable>: Service, TreePart, Sendable {
  /// A primitive service has no body of its own.
  public typealias Body = EmptyService

  /// The work that follows a change of the state. It runs after the fold.
  ///
  /// - Errors: if it throws, the action has failed.
  public typealias SideEffect = @Sendable (_ dispatch: @escaping Send, _ context: Context) async throws -> Void

  /// Changes the state as the action asks, and returns the side effect, if there is one. It depends on its parameters
  /// alone.
  public typealias Reduce = @Sendable (_ state: inout State, _ action: Input) -> SideEffect?

  private let state: State
  private let context: Context
  private let isolation: (any Actor)?
  private let reduce: Reduce
  private var rule = EffectRule()

  /// Makes a reducer.
  ///
  /// - Parameters:
  ///   - state: the first state.
  ///   - context: the world outside, which side effects get.
  ///   - reduce: changes the state.
  public init(state: State, context: Context, reduce: @escaping Reduce) {
    self.init(state: state, context: context, isolation: nil, reduce: reduce)
  }

  /// A name of Trellis.
  @available(*, unavailable, renamed: "init(state:context:reduce:)")
  public init(initialState: State, context: Context, reduce: @escaping Reduce) {
    self.init(state: initialState, context: context, isolation: nil, reduce: reduce)
  }

  /// Makes a reducer whose state changes on the main actor, and on no other thread.
  ///
  ///     Reducer(state: CartState(), context: shop, on: .shared) { state, action in … }
  ///
  /// - Concurrency: `reduce` runs on the main actor. A side effect runs where its own isolation says.
  /// - Parameters:
  ///   - state: the first state.
  ///   - context: the world outside, which side effects get.
  ///   - actor: the main actor.
  ///   - reduce: changes the state.
  public init(
    state: State,
    context: Context,
    on actor: MainActor,
    reduce: @escaping @MainActor @Sendable (_ state: inout State, _ action: Input) -> SideEffect?
  ) {
    self.init(state: state, context: context, isolation: actor) { state, action in
      MainActor.assumeIsolated { reduce(&state, action) }
    }
  }

  /// Makes a reducer whose state changes on an actor of yours.
  ///
  ///     Reducer(state: CartState(), context: shop, on: warehouse) { warehouse, state, action in … }
  ///
  /// - Concurrency: `reduce` runs on the actor. A side effect runs where its own isolation says.
  /// - Parameters:
  ///   - state: the first state.
  ///   - context: the world outside, which side effects get.
  ///   - actor: the actor. The reducer keeps it.
  ///   - reduce: changes the state. It may use the actor, to which it belongs.
  public init<Isolation: Actor>(
    state: State,
    context: Context,
    on actor: Isolation,
    reduce: @escaping @Sendable (_ actor: isolated Isolation, _ state: inout State, _ action: Input) -> SideEffect?
  ) {
    self.init(state: state, context: context, isolation: actor) { state, action in
      actor.assumeIsolated { actor in reduce(actor, &state, action) }
    }
  }

  private init(state: State, context: Context, isolation: (any Actor)?, reduce: @escaping Reduce) {
    self.state = state
    self.context = context
    self.isolation = isolation
    self.reduce = reduce
  }

  /// Chooses what happens when an action has a side effect while another one is running. The standard is
  /// `OverlapPolicy.concurrent`. The state is folded in any case.
  ///
  ///     Reducer(state: SearchState(), context: api, reduce: Reducers.search).overlapping(.newest)
  ///
  /// A side effect of the same key that a running one causes by what it dispatches is part of it, and runs at once.
  ///
  /// With `serial` and keys, a side effect must not wait for an action of another key: two that wait for each other
  /// never end. Start a task for it, or set a time limit.
  ///
  /// - Ordering: with `serial`, side effects run one after the other, in the order in which their actions were folded
  ///   and shown to the watchers.
  /// - Errors: with `newest`, the side effect that is replaced is cancelled, and the `send` of its action throws
  ///   `CancellationError`. With `first`, the `send` of an action whose side effect is dropped returns at once.
  /// - Parameters:
  ///   - policy: what happens.
  ///   - key: tells side effects apart by their actions: the policy holds among those whose keys are equal, and among
  ///     those that have none. Without it, it holds among all. Nothing is kept of a key under which nothing runs or
  ///     waits.
  public func overlapping(
    _ policy: OverlapPolicy,
    by key: (@Sendable (Input) -> (any Hashable & Sendable)?)? = nil
  ) -> Reducer {
    var reducer = self
    reducer.rule.overlap = OverlapRule(policy, by: key)
    return reducer
  }

  /// Sets how long one side effect may take. One that takes longer is cancelled.
  ///
  /// - Errors: the `send` of the action throws ``EffectTimeoutError`` as soon as the time is over, even if the side
  ///   effect goes on although it is cancelled. Then it no longer counts as running.
  /// - Parameters:
  ///   - limit: the longest time.
  ///   - scheduler: the source of time.
  public func timeLimit(_ limit: Duration, on scheduler: any Scheduler = .continuous) -> Reducer {
    var reducer = self
    reducer.rule.limit = (limit, scheduler)
    return reducer
  }

  func place(in context: BuildContext, of reader: TreeReader) -> Placement {
    let (send, scope) = (context.send, context.scope)
    let watchers = context.watchers[ObjectIdentifier(State.self)] ?? []
    for provided in watchers { provided.isUsed = true }
    let cell = TypedCell<State, Input, Context>(
      state: state,
      context: self.context,
      send: send,
      watchers: watchers.compactMap { $0.content as? Watcher<State> },
      reduce: reduce
    )
    reader.announce(cell.notices)
    let name = "Reducer<\(State.self)>"
    let effects = reader.effects(rule, of: name, in: context)
    let handler = Handler(on: Input.self, Reduction(cell, isolation: isolation, in: scope, effects))
    return Placement(label: PlaceLabel(name: name), handlers: [handler], context: context)
  }
}

extension Reducer where Context == Void {
  /// Makes a reducer whose side effects need nothing from outside.
  public init(state: State, reduce: @escaping Reduce) {
    self.init(state: state, context: (), reduce: reduce)
  }

  /// A name of Trellis.
  @available(*, unavailable, renamed: "init(state:reduce:)")
  public init(initialState: State, reduce: @escaping Reduce) {
    self.init(state: initialState, context: (), reduce: reduce)
  }

  /// Makes a reducer whose state changes on the main actor, and whose side effects need nothing from outside.
  public init(
    state: State,
    on actor: MainActor,
    reduce: @escaping @MainActor @Sendable (_ state: inout State, _ action: Input) -> SideEffect?
  ) {
    self.init(state: state, context: (), on: actor, reduce: reduce)
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
