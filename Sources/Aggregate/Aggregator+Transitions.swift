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
  public func transitions<Field: Equatable & Sendable>(
    of field: KeyPath<State, Field> & Sendable
  ) -> Observable<Transition<State.Event, Field>, Never> {
    transitions(of: { $0[keyPath: field] }, by: ==)
  }

  /// Sends each change of what a closure reads, together with the event that made it.
  ///
  /// - Parameters:
  ///   - read: reads the field. It must depend on the state alone.
  ///   - areEquivalent: returns whether two values count as one.
  /// - Ordering: as ``states``: the subscribers are called in the round of the event.
  /// - Complexity: O(1) per event and subscriber, beside the costs of the closures.
  public func transitions<Field: Sendable>(
    of read: @escaping @Sendable (State) -> Field,
    by areEquivalent: @escaping @Sendable (Field, Field) -> Bool
  ) -> Observable<Transition<State.Event, Field>, Never> {
    steps.handleValues(with: { Field?.none }) { last, step, observer in
      let new = read(step.state)
      defer { last = new }
      guard let event = step.event, let old = last, !areEquivalent(old, new) else { return }
      observer.send(Transition(event: event, source: step.source, cause: step.cause, old: old, new: new))
    }
  }

  /// Sends every event with the state that it has led to. A newcomer gets the present state first, without an event.
  private var steps: Observable<Step<State>, Never> {
    let core = core
    return Observable(attach: { observer in
      core.attach(observer) { shell in
        shell.stepGroup()
      } first: {
        Step(event: nil, source: nil, cause: .unknown, state: core.snapshot())
      }
    })
  }
}
