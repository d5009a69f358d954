public import Aggregate
import RASPSupport
public import Testing

/// Tests a state as a pure fold: without an aggregator, a stream or a clock.
///
///     given(GeoState())
///       .when(.heading(90), .heading(91))
///       .then { $0.heading = 91 }
///
/// - Parameter state: the state before.
/// - Returns: the state, ready to be given events.
public func given<State: AggregateState>(_ state: State) -> StateUnderTest<State> {
  StateUnderTest(before: state, after: state, rejections: [])
}

/// A state that events are applied to: see ``given(_:)->StateUnderTest<State>``.
public struct StateUnderTest<State: AggregateState> {
  private let before: State
  private let after: State
  private let rejections: [State.Rejection]

  init(before: State, after: State, rejections: [State.Rejection]) {
    self.before = before
    self.after = after
    self.rejections = rejections
  }

  /// Applies events, in order. One that the state refuses leaves it as it was.
  public func when(_ events: State.Event...) -> StateUnderTest {
    when(events)
  }

  /// Applies events, in order. One that the state refuses leaves it as it was.
  public func when(_ events: some Sequence<State.Event>) -> StateUnderTest {
    var after = after
    var rejections = rejections
    for event in events {
      var changed = after
      do throws(State.Rejection) {
        try changed.apply(event)
        after = changed
      } catch {
        rejections.append(error)
      }
    }
    return StateUnderTest(before: before, after: after, rejections: rejections)
  }

  /// Looks at the state after the events.
  ///
  /// - Parameter look: gets the state, and checks it.
  /// - Errors: throws what `look` throws.
  @discardableResult
  public func expect(_ look: (State) throws -> Void) rethrows -> StateUnderTest {
    try look(after)
    return self
  }

  /// Looks at the refusals of the state, in order.
  ///
  /// - Parameter look: gets the errors that `apply` threw.
  @discardableResult
  public func rejected(_ look: ([State.Rejection]) throws -> Void) rethrows -> StateUnderTest {
    try look(rejections)
    return self
  }
}

extension StateUnderTest where State: Equatable {
  /// Expects the events to have changed nothing; a change is reported as an issue of the running test, field by field.
  ///
  /// - Parameter sourceLocation: where to report.
  @discardableResult
  public func then(sourceLocation: SourceLocation = #_sourceLocation) -> StateUnderTest {
    then(sourceLocation: sourceLocation) { _ in }
  }

  /// Expects the events to have made exactly this difference; anything else is reported as an issue of the running
  /// test, field by field.
  ///
  /// - Parameters:
  ///   - change: changes the state before into the state expected.
  ///   - sourceLocation: where to report.
  @discardableResult
  public func then(
    sourceLocation: SourceLocation = #_sourceLocation,
    _ change: (inout State) throws -> Void
  ) rethrows -> StateUnderTest {
    var expected = before
    try change(&expected)
    if !isSame(expected, after) {
      var report = describeDifference(expected: expected, observed: after)
      // Often the reason why nothing has changed.
      for rejection in rejections { report += "\n  refused: \(rejection)" }
      Reporter.current.report(report, at: sourceLocation)
    }
    return self
  }
}
