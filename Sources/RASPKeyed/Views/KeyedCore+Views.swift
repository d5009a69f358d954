import Aggregate
import Streams

/// Puts a value together from one part for each shard.
@usableFromInline
protocol ShardCombiner: Sendable {
  /// What a shard sends: its part at first, and then that, or what has become of it.
  associatedtype Part: Sendable
  associatedtype Whole: Sendable

  /// Takes what a shard has sent.
  mutating func take(_ part: Part, of shard: Int)

  /// The value of all parts that have been taken.
  var whole: Whole { get }

  /// The value where there is one shard.
  static func whole(_ part: Part) -> Whole
}

extension KeyedCore {
  /// The streams of all shards as one.
  @inlinable
  func merged<Element: Sendable>(
    _ stream: (KeyedShard<Key, State>) -> Observable<Element, Never>
  ) -> Observable<Element, Never> {
    if shards.count == 1 { return stream(shards[0]) }
    return .merge(shards.map(stream))
  }

  /// A value that is put together from one part for each shard.
  ///
  /// - Parameters:
  ///   - view: makes the view of a shard.
  ///   - combiner: puts the parts together, one for each subscriber. It has none yet.
  ///   - find: finds the part of a shard in its states.
  @inlinable
  func query<Tracker: RowTracker, Combiner: ShardCombiner>(
    _ view: (KeyedShard<Key, State>) -> RowView<Tracker>,
    combiner: Combiner,
    find: @escaping @Sendable (RowStore<Key, State>.States) -> Combiner.Part
  ) -> RowQuery<Combiner.Whole> where Tracker.Key == Key, Tracker.State == State, Combiner.Part == Tracker.Element {
    if shards.count == 1 {
      let view = view(shards[0])
      return RowQuery(view.observable.map { Combiner.whole($0) }) {
        view.answer(orFind: find).map { Combiner.whole($0) } ?? combiner.whole
      }
    }
    let views = shards.map(view)
    let parts = views.enumerated().map { index, view in view.observable.map { (index, $0) } }
    let merged = Observable.merge(parts).handleValues(with: { (combiner: combiner, missing: Set(views.indices)) }) {
      state,
      part,
      observer in
      state.combiner.take(part.1, of: part.0)
      state.missing.remove(part.0)
      if state.missing.isEmpty { observer.send(state.combiner.whole) }
    }
    return RowQuery(merged) {
      var combiner = combiner
      for (index, view) in views.enumerated() {
        if let part = view.answer(orFind: find) { combiner.take(part, of: index) }
      }
      return combiner.whole
    }
  }
}

extension KeyedShard {
  /// The changes of all rows, beginning with an insertion for each row that is there.
  @inlinable
  var changes: Observable<RowChange<Key, State>, Never> {
    Observable(attach: { observer in
      self.queue.attach(observer) { shell, _ in
        .made(in: &shell.streams.changes)
      } first: { shell, _ in
        for row in shell.store.inOrder { if let state = row.state { observer.send(.inserted(row.key, state)) } }
      }
    })
  }

  /// The events that come from now on.
  @inlinable
  var events: Observable<State.Event, Never> {
    Observable(attach: { observer in
      self.queue.attach(observer) { shell, _ in .made(in: &shell.streams.events) }
    })
  }
}
