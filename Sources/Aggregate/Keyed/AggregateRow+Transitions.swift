public import Streams

extension AggregateRow {
  /// Sends each change of a field of the row together with the step that made it: an event, or the insertion or removal
  /// of the row. A row that is not there has the value `nil`.
  ///
  ///     let token = quotes["ACME"].transitions(of: \.price).subscribe { change in
  ///       print(change.old, "→", change.new, "by", change.event.change)
  ///     }
  ///
  /// A newcomer gets the changes that come from then on.
  ///
  /// - Ordering: the subscribers are called in the round of the step.
  /// - Complexity: O(1) per event of the shard and subscriber, also for events of other rows, which a selection does
  ///   not look at; and a copy of the field.
  public func transitions<Field: Equatable & Sendable>(
    of field: KeyPath<State, Field> & Sendable
  ) -> Observable<Transition<RowStep<Key, State>, Field?>, Never> {
    transitions(of: { $0[keyPath: field] }, by: ==)
  }

  /// Sends each change of what a closure reads of the row, together with the step that made it.
  ///
  /// - Parameters:
  ///   - read: reads the field. It must depend on the state alone.
  ///   - areEquivalent: returns whether two values count as one.
  /// - Ordering: the subscribers are called in the round of the step.
  /// - Complexity: O(1) per event of the shard and subscriber, beside the costs of the closures.
  public func transitions<Field: Sendable>(
    of read: @escaping @Sendable (State) -> Field,
    by areEquivalent: @escaping @Sendable (Field, Field) -> Bool
  ) -> Observable<Transition<RowStep<Key, State>, Field?>, Never> {
    let key = key
    return shard.moves(of: key).handleValues(with: { Field??.none }) { last, move, observer in
      if let step = move.step, step.key != key { return }
      let new = move.state.map(read)
      let old = last
      last = .some(new)
      guard let step = move.step, let old else { return }
      if let old, let new, areEquivalent(old, new) { return }
      if old == nil, new == nil { return }
      observer.send(Transition(event: step, source: move.source, cause: move.cause, old: old, new: new))
    }
  }
}

extension KeyedShard {
  /// What happens to all rows, beginning with the present state of one of them.
  fileprivate func moves(of key: Key) -> Observable<RowMove<Key, State>, Never> {
    Observable(attach: { observer in
      self.attach(observer) { shell, _ in
        shell.moveGroup()
      } first: { shell, _ in
        let state = shell.table.pointee.state(of: HashedKey(key))
        observer.send(RowMove(step: nil, source: nil, cause: .unknown, state: state))
      }
    })
  }
}
