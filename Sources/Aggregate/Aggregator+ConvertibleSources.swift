public import Streams

// For subjects and selections, without `observable`. The overloads for streams are preferred: with them the compiler
// knows the type of the events before it looks at the closures of the sources.
extension Aggregator {
  /// Makes an aggregator that is fed by subjects, selections and streams, as `init(initial:buffering:sources:)` is by
  /// streams.
  ///
  /// - Parameters:
  ///   - initial: the state before the first event.
  ///   - policy: what becomes of events that arrive while others are being folded.
  ///   - sources: the subjects, selections and streams of events to fold.
  /// - Complexity: O(sources), beside the cost of subscribing to them.
  @_disfavoredOverload
  @inlinable
  public convenience init<each Failure: Error>(
    initial: State,
    buffering policy: BufferingPolicy = .unbounded,
    sources: repeat any ObservableConvertible<State.Event, each Failure>
  ) {
    self.init(
      initial: initial,
      buffering: policy,
      sources: repeat (each sources).observable
    )
  }

  /// Replaces all sources by subjects, selections and streams, as `replace(sources:)` does by streams.
  ///
  /// - Complexity: O(n log n), n being the number of old and new sources, beside the cost of subscribing and
  ///   cancelling.
  @_disfavoredOverload
  @inlinable
  public func replace<each Failure: Error>(sources: repeat any ObservableConvertible<State.Event, each Failure>) {
    replace(sources: repeat (each sources).observable)
  }
}
