/// The state of one domain, and the way in which each event changes it.
///
///     struct GeoState: AggregateState {
///       var heading: Heading?
///       var location: Location?
///
///       mutating func apply(_ event: GeoEvent) {
///         switch event {
///         case .heading(let heading): self.heading = heading
///         case .location(let location): self.location = location
///         }
///       }
///     }
///
/// The state changes in no other way. It is a value: a test gives it an event and looks at the result, and needs
/// nothing else.
///
/// ### Fields of class type
///
/// Use values for the fields of a state. All snapshots share an object that a field refers to, and that breaks three
/// promises when the object changes:
///
/// - A change inside the object is not seen. The field still refers to the same object, so a comparison by `==` or by
///   identity finds no difference, and subscribers of a selection are not told.
/// - A snapshot is not consistent. An old snapshot shows the new content of the object, and a state that refuses an
///   event cannot undo a change inside it.
/// - A change inside the object races with readers of snapshots on other threads, unless the class synchronises itself.
///
/// If a field must refer to an object, treat the object as immutable, and replace it by another one in ``apply(_:)``.
public protocol AggregateState: Sendable {
  /// An event of this domain: usually an enum, or `any AggregateEvent` if events come from many places.
  associatedtype Event: Sendable

  /// The reason for which the state may refuse an event; `Never` unless ``apply(_:)`` throws.
  associatedtype Rejection: Error = Never

  /// Folds an event into the state, in place.
  ///
  /// It is a function of `self` and the event: it only changes `self`, and neither waits nor reads the clock, so that
  /// the same events always make the same state. What it needs of the state is in `self`; to read the aggregator from
  /// in here is a mistake that every build reports, see ``Aggregator/snapshot``.
  ///
  /// - Ordering: an event that is sent from in here is folded later.
  /// - Concurrency: an ``Aggregator`` calls it for one event at a time. Other threads that read the snapshot wait for
  ///   it, so neither it nor the `deinit` of anything it releases may wait for them. An `apply` reads its own
  ///   state alone: two aggregators whose `apply` reads the snapshot of the other one wait for ever, or the process
  ///   stops. A debug build finds them before they wait, and reports ``AggregatorDiagnostic/readDuringApply``.
  /// - Errors: a state throws to refuse the event. It is then as it was before, the refusal is reported on
  ///   ``Aggregator/rejections``, and the next event is folded as usual.
  /// - Complexity: a state that cannot throw is folded in place, so an event costs what it changes. A state that can
  ///   throw is copied for each event, so a change to one of its collections copies that collection.
  mutating func apply(_ event: Event) throws(Rejection)
}

/// An event that a state refused, and why.
public struct RejectedEvent<State: AggregateState>: Sendable {
  /// The event that was refused.
  public let event: State.Event

  /// The error that ``AggregateState/apply(_:)`` threw.
  public let reason: State.Rejection

  /// Makes one, for a test or a preview.
  @inlinable
  public init(event: State.Event, reason: State.Rejection) {
    self.event = event
    self.reason = reason
  }
}

extension AggregateState {
  /// Applies an event, or leaves the state as it is if it refuses the event.
  @inlinable
  package mutating func applyIfItFits(_ event: Event) {
    if Rejection.self == Never.self {
      // In place, because nothing is to be taken back.
      do throws(Rejection) { try apply(event) } catch {}
    } else {
      var changed = self
      do throws(Rejection) { try changed.apply(event) } catch { return }
      self = changed
    }
  }
}
