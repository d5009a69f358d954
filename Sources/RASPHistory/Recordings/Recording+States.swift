public import Aggregate
import RASPSupport

// What is computed from a recording by folding its events again.
extension Recording {
  /// Folds the events again, in one copy of the state, and shows it after each of them.
  ///
  /// - Parameter visit: gets an entry, the state after it, and the reason for which the state refused the event, if it
  ///   did. A state that it keeps is copied, as far as the next event changes it.
  /// - Errors: throws what `visit` throws.
  /// - Complexity: one `apply` per event. Nothing is visited if there is no initial state.
  public func replay<Failure: Error>(
    _ visit: (_ entry: Entry, _ state: State, _ refusal: State.Rejection?) throws(Failure) -> Void
  ) throws(Failure) {
    guard var state = initial else { return }
    for entry in entries {
      let refusal = state.fold(entry.event)
      try visit(entry, state, refusal)
    }
  }

  /// Returns the state before an event; `nil` if the recording does not have it, or if only events were kept.
  ///
  /// - Complexity: one `apply` for each entry before.
  public func state(before number: Int) -> State? {
    guard self[number] != nil, var state = initial else { return nil }
    for entry in entries where entry.number < number { _ = state.fold(entry.event) }
    return state
  }

  /// Returns the state after an event; `nil` if the recording does not have it, or if only events were kept.
  ///
  /// - Complexity: one `apply` for each entry up to it.
  public func state(after number: Int) -> State? {
    guard self[number] != nil, var state = initial else { return nil }
    for entry in entries where entry.number <= number { _ = state.fold(entry.event) }
    return state
  }

  /// The state after all entries; `nil` if only events were kept.
  private var foldedState: State? {
    guard var state = initial else { return nil }
    for entry in entries { _ = state.fold(entry.event) }
    return state
  }

  /// Is `true` if the events, folded again, lead to another state. A state that cannot be compared is taken to be the
  /// same.
  var hasImpureFold: Bool {
    guard state is any Equatable, let folded = foldedState else { return false }
    return !isSame(folded, state)
  }
}

extension Recording where State: Equatable {
  /// Is `true` if the events, folded again, lead to the state that was taken. If only events were kept, that cannot be
  /// told, and it is `false`.
  ///
  /// A state that holds NaN equals nothing. It is compared field by field, by the text.
  ///
  /// - Complexity: one `apply` per event.
  public var isReproduced: Bool {
    foldedState.map { isSame($0, state) } ?? false
  }
}

/// A state that is as it was when it refuses an event, without a copy of all of it.
@usableFromInline
package protocol AtomicallyFolding {}

extension AggregateState {
  /// Folds an event; if the state refuses it, nothing has changed.
  ///
  /// - Returns: the reason of a refusal.
  @inlinable
  package mutating func fold(_ event: Event) -> Rejection? {
    if Rejection.self == Never.self || Self.self is any AtomicallyFolding.Type {
      // In place: an event costs what it changes.
      do throws(Rejection) { try apply(event) } catch { return error }
      return nil
    }
    var changed = self
    do throws(Rejection) { try changed.apply(event) } catch { return error }
    self = changed
    return nil
  }
}
