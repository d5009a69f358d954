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
