import Aggregate
import Streams

/// A running reducer: an aggregator, and the watchers of its state.
///
/// Safe to share: immutable, and the aggregator is safe by itself.
final class ReducerMachine<State: Sendable, Input: Action, Context: Sendable>: Sendable {
  typealias Reduce = Reducer<State, Input, Context>.Reduce
  typealias SideEffect = Reducer<State, Input, Context>.SideEffect
  typealias Watching = @Sendable (Aggregator<Folded>) -> Observable<State, Never>

  /// One action that is folded.
  final class Event: Sendable {
    let action: Input
    let notices = Notices()
    let isFolded = Latch()
    /// Put down by the fold, and taken by the sender once `isFolded` has fired.
    let effect = HandOff<SideEffect?>()

    init(_ action: Input) {
      self.action = action
    }
  }

  /// The state and the function that changes it.
  struct Folded: AggregateState {
    var state: State
    let reduce: Reduce

    mutating func apply(_ event: Event) {
      event.effect.put(reduce(&state, event.action))
    }
  }

  private let aggregator: Aggregator<Folded>
  private let subscriptions: [Subscription]
  private let context: Context
  private let initialNotices = Notices()

  init(state: State, context: Context, reduce: @escaping Reduce, watchers: [Watcher<State>], watching: Watching) {
    let aggregator = Aggregator(initial: Folded(state: state, reduce: reduce))
    self.aggregator = aggregator
    self.context = context

    // In a round, subscribers are called in the order of their subscription. The first one notes whose round it is, the
    // watchers reserve their turns, and the last one says that they have.
    let current = Lock(initialNotices)
    let begin = aggregator.events.subscribe { event in current.exchange(with: event.notices) }
    let states = watching(aggregator)
    let watches = watchers.map { watcher in
      states.subscribe { state in current.withLock { $0 }.add(watcher.notice(of: state)) }
    }
    let end = aggregator.events.subscribe { $0.isFolded.fire() }
    subscriptions = [begin] + watches + [end]
  }

  /// Takes the notices of the first state.
  func takeInitialNotices() -> [Notices.Notice] {
    initialNotices.take()
  }

  /// Folds an action, notifies the watchers, and runs the side effect.
  func receive(_ action: Input, in dispatch: ActionDispatch, send: @escaping Send) async throws {
    let event = Event(action)
    guard aggregator.send(event) else { return }
    // Another thread may be folding. Then it folds this action too.
    await event.isFolded.wait()
    for notice in event.notices.take() {
      await NonReentrantSection.run(in: dispatch) { await notice() }
    }
    if let effect = event.effect.take() ?? nil { try await effect(send, context) }
  }
}
