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
  /// - Complexity: O(1) per event of the row and subscriber, and a copy of the field. An event of another row
  ///   costs nothing but a few instructions, however many rows and subscribers there are.
  @inlinable
  public func transitions<Field: Equatable & Sendable>(
    of field: KeyPath<State, Field> & Sendable
  ) -> Observable<Transition<RowStep<Key, State>, Field?>, Never> {
    guard let offset = MemoryLayout<State>.offset(of: field) else {
      return transitions(of: { $0[keyPath: field] }, by: ==)
    }
    return transitions(by: ==) { $0.property(at: offset, as: Field.self).pointee }
  }

  /// Sends each change of what a closure reads of the row, together with the step that made it.
  ///
  /// - Parameters:
  ///   - read: reads the field. It must depend on the state alone.
  ///   - areEquivalent: returns whether two values count as one.
  /// - Ordering: the subscribers are called in the round of the step.
  /// - Complexity: O(1) per event of the row and subscriber, beside the costs of the closures. An event of another row
  ///   costs nothing but a few instructions.
  @inlinable
  public func transitions<Field: Sendable>(
    of read: @escaping @Sendable (State) -> Field,
    by areEquivalent: @escaping @Sendable (Field, Field) -> Bool
  ) -> Observable<Transition<RowStep<Key, State>, Field?>, Never> {
    transitions(by: areEquivalent) { $0.read(read) }
  }

  /// - Parameter read: reads the field where the state is.
  @inlinable
  func transitions<Field: Sendable>(
    by areEquivalent: @escaping @Sendable (Field, Field) -> Bool,
    _ read: @escaping @Sendable (UnsafePointer<State>) -> Field
  ) -> Observable<Transition<RowStep<Key, State>, Field?>, Never> {
    shard.moves(of: key).handleValues(with: { Field??.none }) { last, reference, observer in
      let move = reference.move
      var new: Field?
      if let row = move.pointee.row, row.hasState { new = read(row.stateAddress.assumingMemoryBound(to: State.self)) }
      let old = last
      last = .some(new)
      guard let old, move.pointee.step != nil else { return }
      if let old, let new, areEquivalent(old, new) { return }
      if old == nil, new == nil { return }
      guard let step = move.pointee.step else { return }
      observer.send(
        Transition(event: step, source: move.pointee.source, cause: move.pointee.cause, old: old, new: new)
      )
    }
  }
}

extension KeyedShard {
  /// What happens to a row, beginning with its present state.
  @inlinable
  func moves(of key: Key) -> Observable<RowMoveReference<Key, State>, Never> {
    Observable(attach: { observer in
      self.attach(observer) { shell, access in
        let selections = self.selections(of: key, access)
        shell.streams.moveCount += 1
        return (
          selections.moveGroup(),
          { shell, _ in
            shell.streams.moveCount -= 1
            selections.noteLeftMoves()
            return selections
          }
        )
      } first: { shell, _ in
        let row = shell.table.pointee.row(of: HashedKey(key))
        let move = RowMove(step: nil, source: nil, cause: .unknown, row: row)
        withUnsafePointer(to: move) { observer.send(RowMoveReference($0)) }
      }
    })
  }
}
