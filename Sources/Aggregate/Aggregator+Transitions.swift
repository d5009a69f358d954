import RASPPrimitives
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
    guard let offset = MemoryLayout<State>.offset(of: field) else {
      return transitions(ClosureReading(read: { $0[keyPath: field] }, areEquivalent: { isUnchanged($0, $1) }))
    }
    return transitions(StoredReading(offset: offset))
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
    transitions(ClosureReading(read: read, areEquivalent: areEquivalent))
  }

  @inlinable
  @inline(__always)
  func transitions<Reading: TransitionReading>(
    _ reading: Reading
  ) -> Observable<Transition<State.Event, Reading.Field>, Never> where Reading.State == State {
    let core = core
    return Observable(attach: { observer in
      // What was told last, or was there in the beginning.
      let told = Confined<Reading.Field?>(nil)
      let each = observer.upstream { (step: Step<State>) in
        guard let state = step.state else { return }
        let new = reading.field(of: state)
        // User code runs while the memory is not being changed.
        guard let old = told.withValue({ $0 }), !reading.isSame(old, new) else { return }
        told.withValue { $0 = new }
        let cause = step.cause ?? CarriedCause.current.cause
        observer.send(
          Transition(event: step.event.pointee, source: step.source, cause: cause, old: old, new: new)
        )
      }
      core.attach(each) { state in
        let first = reading.field(of: state)
        told.withValue { $0 = first }
      }
    })
  }
}

/// The read of a field for its transitions, and the comparison. It is a type and no pair of closures, so that both are
/// put into the code that looks at each event.
@usableFromInline
protocol TransitionReading: Sendable {
  associatedtype State: Sendable
  associatedtype Field: Sendable

  func field(of state: UnsafePointer<State>) -> Field
  func isSame(_ old: Field, _ new: Field) -> Bool
}

/// A stored property, read where it is: its key path is looked at once.
@usableFromInline
struct StoredReading<State: Sendable, Field: Equatable & Sendable>: TransitionReading {
  @usableFromInline let offset: Int

  @inlinable
  init(offset: Int) {
    self.offset = offset
  }

  @inlinable
  @inline(__always)
  func field(of state: UnsafePointer<State>) -> Field { state.property(at: offset, as: Field.self).pointee }

  @inlinable
  @inline(__always)
  func isSame(_ old: Field, _ new: Field) -> Bool { isUnchanged(old, new) }
}

/// What a closure reads.
@usableFromInline
struct ClosureReading<State: Sendable, Field: Sendable>: TransitionReading {
  @usableFromInline let read: @Sendable (State) -> Field
  @usableFromInline let areEquivalent: @Sendable (Field, Field) -> Bool

  @inlinable
  init(read: @escaping @Sendable (State) -> Field, areEquivalent: @escaping @Sendable (Field, Field) -> Bool) {
    self.read = read
    self.areEquivalent = areEquivalent
  }

  @inlinable
  @inline(__always)
  func field(of state: UnsafePointer<State>) -> Field { state.read(read) }

  @inlinable
  @inline(__always)
  func isSame(_ old: Field, _ new: Field) -> Bool { areEquivalent(old, new) }
}
