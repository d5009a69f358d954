import Aggregate
import RASPPrimitives
public import Streams

extension AggregateRow {
  /// Sends each change of a field of the row together with the step that made it: an event, or the insertion or removal
  /// of the row. A row that is not there has the value `nil`.
  ///
  ///     let token = quotes["ACME"].transitions(of: \.price).subscribe { change in
  ///       print(change.old, "→", change.new, "by", change.event.change)
  ///     }
  ///
  /// A newcomer gets the changes that come from then on. Subscribers do not keep the row from being given up by a
  /// ``RowEviction``; they get its removal as a change, and later steps when the row is made anew.
  ///
  /// - Ordering: the subscribers are called in the round of the step.
  /// - Complexity: O(1) per event of the row and subscriber, and a copy of the field. An event of another row
  ///   costs nothing but a few instructions, however many rows and subscribers there are.
  @inlinable
  public func transitions<Field: Equatable & Sendable>(
    of field: KeyPath<State, Field> & Sendable
  ) -> Observable<Transition<RowStep<Key, State>, Field?>, Never> {
    guard let offset = MemoryLayout<State>.offset(of: field) else {
      return transitions(ClosureReading(read: { $0[keyPath: field] }, areEquivalent: { isUnchanged($0, $1) }))
    }
    return transitions(StoredReading(offset: offset))
  }

  /// Sends each change of what a closure reads of the row, together with the step that made it. A value is compared
  /// with the one that was sent last. Subscribers do not keep the row from being given up by a ``RowEviction``.
  ///
  /// - Parameters:
  ///   - read: reads the field. It must depend on the state alone.
  ///   - areEquivalent: gets what was sent last and the new value, and returns whether the two count as one.
  /// - Ordering: the subscribers are called in the round of the step.
  /// - Complexity: O(1) per event of the row and subscriber, beside the costs of the closures. An event of another row
  ///   costs nothing but a few instructions.
  @inlinable
  public func transitions<Field: Sendable>(
    of read: @escaping @Sendable (State) -> Field,
    by areEquivalent: @escaping @Sendable (Field, Field) -> Bool
  ) -> Observable<Transition<RowStep<Key, State>, Field?>, Never> {
    transitions(ClosureReading(read: read, areEquivalent: areEquivalent))
  }

  @inlinable
  @inline(__always)
  func transitions<Reading: TransitionReading>(
    _ reading: Reading
  ) -> Observable<Transition<RowStep<Key, State>, Reading.Field?>, Never> where Reading.State == State {
    let (key, shard) = (key, shard)
    return Observable(attach: { observer in
      // What was told last, or was there in the beginning. `.some(nil)` stands for a row that is not there.
      let told = Confined<Reading.Field??>(nil)
      let each = observer.upstream { (move: RowMove<Key, State>) in
        var new: Reading.Field?
        if let row = move.row, row.hasState {
          new = reading.field(of: row.stateAddress.assumingMemoryBound(to: State.self))
        }
        // User code runs while the memory is not being changed.
        guard let old = told.withValue({ $0 }), let row = move.row, let change = move.change else {
          return told.withValue { $0 = .some(new) }
        }
        if let old, let new, reading.isSame(old, new) { return }
        if old == nil, new == nil { return }
        told.withValue { $0 = .some(new) }
        let step = RowStep(key: row.pointer.pointee.key, change.pointee)
        let cause = move.cause ?? CarriedCause.current.cause
        observer.send(Transition(event: step, source: move.source, cause: cause, old: old, new: new))
      }
      shard.attach(each, toMovesOf: key)
    })
  }
}

extension KeyedShard {
  /// Subscribes an observer to what happens to a row, beginning with its present state.
  @inlinable
  func attach(_ observer: Observer<RowMove<Key, State>, Never>, toMovesOf key: Key) {
    attach(observer) { shell, access in
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
      observer.send(
        RowMove(nil, source: nil, cause: .unknown, row: shell.table.pointee.row(of: HashedKey(key)))
      )
    }
  }
}
