import Aggregate
import Streams
import Synchronization

/// A running reducer: an aggregator, and the watchers of its state.
///
/// Safe to share: immutable, and the aggregator is safe by itself.
final class ReducerMachine<State: Sendable, Input: Action, Context: Sendable>: Sendable {
  typealias SideEffect = @Sendable (_ dispatch: @escaping Send, _ context: Context) async throws -> Void
  typealias Reduce = @Sendable (_ state: inout State, _ action: Input) -> SideEffect?

  /// One action that is folded.
  final class Event: Sendable {
    let action: Input
    let notices = Notices()
    let isFolded = Latch()
    /// Put down by the fold, and taken by the sender once `isFolded` has fired.
    let effect = HandOff<SideEffect?>()
    private let wasReduced = Atomic<Bool>(false)

    init(_ action: Input) {
      self.action = action
    }

    /// Puts the side effect down for the sender. A tape and a replay fold the event again, into a state of their own. That
    /// causes nothing.
    func put(_ effect: SideEffect?) {
      // The aggregator is the first one to fold it.
      if !wasReduced.exchange(true, ordering: .relaxed) { self.effect.put(effect) }
    }
  }

  /// The state and the function that changes it.
  struct Folded: AggregateState {
    var state: State
    let reduce: Reduce

    mutating func apply(_ event: Event) {
      event.put(reduce(&state, event.action))
    }
  }

  private let aggregator: Aggregator<Folded>
  private let subscriptions: [Subscription]
  /// The actor that `reduce` belongs to. All actions are folded there.
  private let isolation: (any Actor)?
  private let initialNotices = Notices()

  init(state: State, isolation: (any Actor)?, reduce: @escaping Reduce, watchers: [Watcher<State>]) {
    let aggregator = Aggregator(initial: Folded(state: state, reduce: reduce))
    self.aggregator = aggregator
    self.isolation = isolation

    // In a round, subscribers are called in the order of their subscription. The first one notes whose round it is, the
    // watchers reserve their turns, and the last one says that they have.
    let current = Lock(initialNotices)
    let begin = aggregator.events.subscribe { event in current.exchange(with: event.notices) }
    let states = aggregator.select(\.state, by: isSameState).observable
    let watches = watchers.map { watcher in
      states.subscribe { state in current.withLock { $0 }.add(watcher.notice(of: state)) }
    }
    let end = aggregator.events.subscribe { $0.isFolded.open() }
    subscriptions = [begin] + watches + [end]
  }

  /// Takes the notices of the first state.
  func takeInitialNotices() -> [Notices.Notice] {
    initialNotices.take()
  }

  /// Folds an action and notifies the watchers.
  ///
  /// - Returns: the side effect of the action.
  func fold(_ action: Input, in call: Call) async throws -> SideEffect? {
    let event = Event(action)
    // Folding begins in the call, so no other thread folds what belongs to an actor: all its actions come from there.
    let isAccepted = await send(event, on: isolation)
    guard isAccepted else { return nil }
    // Another thread may be folding. Then it folds this action too.
    await event.isFolded.wait()
    for notice in event.notices.take() { await notice(call) }
    return event.effect.take() ?? nil
  }

  private func send(_ event: Event, on actor: isolated (any Actor)?) -> Bool {
    aggregator.send(event)
  }
}

/// Returns `true` if watchers need not get `new`: it can be compared, and is equal to the state before. An object
/// equals itself, whatever has changed in it, so an object is never the same state.
private func isSameState<State>(_ old: State, _ new: State) -> Bool {
  func isEqual<Value: Equatable>(_ new: Value) -> Bool { old as? Value == new }
  guard !isObject(new), let new = new as? any Equatable else { return false }
  return isEqual(new)
}
