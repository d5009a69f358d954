public import Streams

extension Aggregator {
  /// Sends each change of a field together with the event that made it: the way to see why a value is what it is.
  ///
  ///     let token = form.transitions(of: \.email).subscribe { change in
  ///       print(change.old, "→", change.new, "by", change.event)
  ///     }
  ///
  /// A newcomer gets the changes that come from then on. What counts as one is what a selection tells of.
  ///
  /// - Ordering: as ``states``: the subscribers are called in the round of the event.
  /// - Complexity: O(1) per event and subscriber, and a copy of the field. While there is a subscriber, the collections
  ///   that an event changes are copied once if the subscriber keeps them.
  @inlinable
  public func transitions<Field: Equatable & Sendable>(
    of field: KeyPath<State, Field> & Sendable
  ) -> Observable<Transition<State.Event, Field>, Never> {
    transitions(StateSelector(field))
  }

  /// Sends each change of what a closure reads, together with the event that made it. A value is compared with the one
  /// that was sent last, so many small changes add up to one that is sent.
  ///
  /// - Parameters:
  ///   - read: reads the field. It must depend on the state alone.
  ///   - areEquivalent: gets what was sent last and the new value, and returns whether the two count as one.
  /// - Ordering: as ``states``: the subscribers are called in the round of the event.
  /// - Complexity: O(1) per event and subscriber, beside the costs of the closures.
  @inlinable
  public func transitions<Field: Sendable>(
    of read: @escaping @Sendable (State) -> Field,
    by areEquivalent: @escaping @Sendable (Field, Field) -> Bool
  ) -> Observable<Transition<State.Event, Field>, Never> {
    transitions(StateSelector(read, comparing: areEquivalent))
  }

  @inlinable
  @inline(__always)
  func transitions<Field: Sendable>(
    _ selector: StateSelector<State, Field>
  ) -> Observable<Transition<State.Event, Field>, Never> {
    let core = core
    let (read, areEquivalent) = (selector.read, selector.comparison.areEquivalent)
    return Observable(attach: { observer in
      // What was told last, or was there in the beginning.
      let told = Confined<Field?>(nil)
      let each = observer.upstream { (step: Step<State>) in
        guard let state = step.state else { return }
        let new = read(state)
        // User code runs while the memory is not being changed.
        guard let old = told.withValue({ $0 }), !areEquivalent(old, new) else { return }
        told.withValue { $0 = new }
        let cause = step.cause ?? CarriedCause.current.cause
        observer.send(
          Transition(event: step.event.pointee, source: step.source, cause: cause, old: old, new: new)
        )
      }
      core.attach(each) { state in
        let first = read(state)
        told.withValue { $0 = first }
      }
    })
  }
}
