import Aggregate
import Streams

/// The state of a reducer, as its aggregator folds it. It does not know the type of the state, which is in an object, so that
/// the aggregator is compiled for it and looks up no types.
struct ReducerState: AggregateState {
  private var cell: ReducerCell

  init(_ cell: ReducerCell) {
    self.cell = cell
  }

  mutating func apply(_ folding: Folding) {
    // A tape has the states before its events, which do not change with this one.
    if !isKnownUniquelyReferenced(&cell) { cell = cell.copy() }
    cell.fold(folding)
  }
}

/// A state, and the function that changes it.
///
/// Safe to share, and `@unchecked` because its state changes: only ``ReducerState`` changes it, while it is the only one that
/// refers to it.
class ReducerCell: @unchecked Sendable {
  /// Another one with the same state.
  func copy() -> ReducerCell { self }

  /// Changes the state as an action asks.
  func fold(_ folding: Folding) {}
}

/// A state whose type is known, with its watchers.
final class TypedCell<State: Sendable, Input: Action, Context: Sendable>: ReducerCell, @unchecked Sendable {
  typealias SideEffect = @Sendable (_ dispatch: @escaping Send, _ context: Context) async throws -> Void
  typealias Reduce = @Sendable (_ state: inout State, _ action: Input) -> SideEffect?

  private(set) var state: State
  private let context: Context
  private let send: Send
  private let reduce: Reduce
  private let watchers: [Watcher<State>]
  /// Its own field, because code that does not know the type of the state asks the array with a look-up of its type.
  private let isWatched: Bool
  private let isSame: (State, State) -> Bool

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

  private init(copying other: TypedCell) {
    state = other.state
    context = other.context
    send = other.send
    reduce = other.reduce
    watchers = other.watchers
    isWatched = other.isWatched
    isSame = other.isSame
  }

  override func copy() -> ReducerCell { TypedCell(copying: self) }

  override func fold(_ folding: Folding) {
    let action = folding.action.typed(as: Input.self)
    guard isWatched else {
      let effect = reduce(&state, action)
      return end(folding, effect) { [] }
    }
    let before = state
    let effect = reduce(&state, action)
    // Watchers reserve their turns here, so the states come to them in their order although different tasks bring them.
    end(folding, effect) { isSame(before, state) ? [] : notices }
  }

  /// - Parameter notices: makes the calls of the watchers.
  @inline(__always)
  private func end(_ folding: Folding, _ effect: SideEffect?, _ notices: () -> [Notice]) {
    guard folding.begin() else { return }
    guard let effect else { return folding.end(notices(), nil) }
    folding.end(notices()) { [send, context] in try await effect(send, context) }
  }

  /// The calls of the watchers with the present state.
  var notices: [Notice] { watchers.map { $0.notice(of: state) } }
}

/// Returns what tells whether watchers need not get a state: it can be compared, and is equal to the state before. An object
/// equals itself, whatever has changed in it, so an object is never the same state.
private func comparison<State>(of type: State.Type) -> (State, State) -> Bool {
  func comparison<Value: Equatable>(of: Value.Type) -> (State, State) -> Bool {
    // The type is the one of the states.
    { unsafeBitCast($0, to: Value.self) == unsafeBitCast($1, to: Value.self) }
  }
  // Whether an optional can be compared depends on what is in it.
  if let type = type as? any Equatable.Type, !(type is AnyClass), !(type is any Optionality.Type) {
    return comparison(of: type)
  }
  return isSameState
}

private func isSameState<State>(_ old: State, _ new: State) -> Bool {
  func isEqual<Value: Equatable>(_ new: Value) -> Bool { old as? Value == new }
  guard !isObject(new), let new = new as? any Equatable else { return false }
  return isEqual(new)
}

private protocol Optionality {}

extension Optional: Optionality {}
