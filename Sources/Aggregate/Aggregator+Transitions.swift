public import Streams

extension Aggregator {
  /// Sends each change of a field together with the event that made it: the way to see why a value is what it is.
  ///
  ///     let token = form.transitions(of: \.email).subscribe { change in
  ///       print(change.old, "→", change.new, "by", change.event)
  ///     }
  ///
  /// A newcomer gets the changes that come from then on.
  ///
  /// - Ordering: as ``states``: the subscribers are called in the round of the event.
  /// - Complexity: O(1) per event and subscriber, and a copy of the field. While there is a subscriber, the collections
  ///   that an event changes are copied once if the subscriber keeps them.
  @inlinable
  public func transitions<Field: Equatable & Sendable>(
    of field: KeyPath<State, Field> & Sendable
  ) -> Observable<Transition<State.Event, Field>, Never> {
    // A stored property is read where it is, and its key path is looked at once.
    guard let offset = MemoryLayout<State>.offset(of: field) else {
      return transitions(reading: { $0.pointee[keyPath: field] }, by: ==)
    }
    return transitions(reading: { $0.property(at: offset, as: Field.self).pointee }, by: ==)
  }

  /// Sends each change of what a closure reads, together with the event that made it.
  ///
  /// - Parameters:
  ///   - read: reads the field. It must depend on the state alone.
  ///   - areEquivalent: returns whether two values count as one.
  /// - Ordering: as ``states``: the subscribers are called in the round of the event.
  /// - Complexity: O(1) per event and subscriber, beside the costs of the closures.
  @inlinable
  public func transitions<Field: Sendable>(
    of read: @escaping @Sendable (State) -> Field,
    by areEquivalent: @escaping @Sendable (Field, Field) -> Bool
  ) -> Observable<Transition<State.Event, Field>, Never> {
    transitions(reading: { $0.read(read) }, by: areEquivalent)
  }

  @inlinable
  @inline(__always)
  func transitions<Field: Sendable>(
    reading read: @escaping @Sendable (UnsafePointer<State>) -> Field,
    by areEquivalent: @escaping @Sendable (Field, Field) -> Bool
  ) -> Observable<Transition<State.Event, Field>, Never> {
    let core = core
    return Observable(attach: { observer in
      let last = Confined<Field?>(nil)
      let each = observer.upstream { (step: Step<State>) in
        guard let state = step.state else { return }
        let new = read(state)
        // User code runs while the memory is not being changed.
        guard let old = last.withValue({ $0 }) else { return }
        let isSame = areEquivalent(old, new)
        last.withValue { $0 = new }
        if isSame { return }
        let cause = step.cause ?? CarriedCause.current.cause
        observer.send(
          Transition(event: step.event.pointee, source: step.source, cause: cause, old: old, new: new)
        )
      }
      core.attach(each) { state in
        let first = read(state)
        last.withValue { $0 = first }
      }
    })
  }
}
