import Aggregate
import Streams

/// The state of a reducer, as its aggregator folds it. It does not know the type of the state, which is behind a
/// protocol, so that the aggregator is compiled for it and looks up no types.
struct ReducerState: AggregateState {
  private var cell: any ReducerCell

  init(_ cell: any ReducerCell) {
    self.cell = cell
  }

  mutating func apply(_ folding: Folding) {
    // A tape has the states before its events: the language copies the state if it is not the only one.
    cell.fold(folding)
  }
}

/// A state, and the function that changes it.
protocol ReducerCell: Sendable {
  /// Changes the state as an action asks.
  mutating func fold(_ folding: Folding)
}

/// A state whose type is known, with its watchers.
struct TypedCell<State: Sendable, Input: Action, Context: Sendable>: ReducerCell {
  typealias SideEffect = @Sendable (_ dispatch: @escaping Send, _ context: Context) async throws -> Void
  typealias Reduce = @Sendable (_ state: inout State, _ action: Input) -> SideEffect?

  private(set) var state: State
  private let context: Context
  private let send: Send
  private let reduce: Reduce
  private let watchers: [Watcher<State>]
  /// Its own field, because code that does not know the type of the state asks the array with a look-up of its type.
  private let isWatched: Bool
  /// Safe to share: it depends on its parameters alone, and captures nothing but a type.
  nonisolated(unsafe) private let isSame: (State, State) -> Bool

  init(
    state: State,
    context: Context,
    send: @escaping Send,
    watchers: [Watcher<State>],
    reduce: @escaping Reduce
  ) {
    self.state = state
    self.context = context
    self.send = send
    self.reduce = reduce
    self.watchers = watchers
    isWatched = !watchers.isEmpty
    isSame = comparison(of: State.self)
  }

  mutating func fold(_ folding: Folding) {
    let action = folding.action.typed(as: Input.self)
    guard isWatched else {
      let effect = reduce(&state, action)
      if folding.begin() { end(folding, effect, []) }
      return
    }
    let before = state
    let effect = reduce(&state, action)
    guard folding.begin() else { return }
    // Watchers reserve their turns here, so the states come to them in their order although different tasks bring them.
    end(folding, effect, isSame(before, state) ? [] : notices)
  }

  @inline(__always)
  private func end(_ folding: Folding, _ effect: SideEffect?, _ notices: [Notice]) {
    guard let effect else { return folding.end(notices, nil) }
    folding.end(notices) { [send, context] in try await effect(send, context) }
  }

  /// The calls of the watchers with the present state.
  var notices: [Notice] { watchers.map { $0.notice(of: state) } }
}

/// Returns what tells whether watchers need not get a state: it can be compared, and is unchanged. An object equals
/// itself, whatever has changed in it, so an object is never the same state.
private func comparison<State>(of type: State.Type) -> (State, State) -> Bool {
  func comparison<Value: Equatable>(of: Value.Type) -> (State, State) -> Bool {
    // The type is the one of the states.
    { isUnchanged(unsafeBitCast($0, to: Value.self), unsafeBitCast($1, to: Value.self)) }
  }
  // Whether an optional can be compared depends on what is in it.
  if let type = type as? any Equatable.Type, !(type is AnyClass), !(type is any Optionality.Type) {
    return comparison(of: type)
  }
  return isSameState
}

private func isSameState<State>(_ old: State, _ new: State) -> Bool {
  func isSame<Value: Equatable>(_ new: Value) -> Bool { (old as? Value).map { isUnchanged($0, new) } ?? false }
  guard !isObject(new), let new = new as? any Equatable else { return false }
  return isSame(new)
}

private protocol Optionality {}

extension Optional: Optionality {}
