public import RASPServices
import RASPSupport
public import Testing

/// The result of sending actions to services: see ``ServicesUnderTest/when(_:sourceLocation:)-(Action...,_)``.
///
/// Each expectation names everything: actions and errors that it does not name are reported too. Values that are
/// `Equatable` are compared with `==`, others, and what does not equal itself, by their type and by how they print.
public struct ServicesResult<Model: Sendable>: Sendable {
  let before: Model?

  /// The model, or the state of the reducer, at the end. `nil` if the cluster could not be started, or if there is no
  /// reducer with this state.
  public let model: Model?

  /// The actions that the services sent, in order. Those that the test sent are not among them.
  public let actions: [any Action]

  /// The errors that starting the cluster and sending the actions threw, in order.
  public let errors: [any Error]

  /// The diagnostics of the cluster about mistakes in the tree.
  public let diagnostics: [ServiceDiagnostic]

  /// Looks at the result. Parts that `look` does not check are not reported.
  ///
  /// - Errors: throws what `look` throws.
  ///
  /// - Parameter look: gets the result, and checks it as it likes.
  @discardableResult
  public func expect(_ look: (ServicesResult) throws -> Void) rethrows -> ServicesResult {
    try look(self)
    return self
  }

  /// Expects exactly these actions to have been sent and these errors to have been thrown; anything else is reported as
  /// an issue of the running test.
  ///
  /// The model is not compared, because it is not `Equatable`; see ``expect(_:)``.
  ///
  /// - Parameters:
  ///   - actions: what the services should have sent, in order.
  ///   - errors: what should have been thrown to the test, in order.
  ///   - sourceLocation: where to report.
  @discardableResult
  public func then(
    sent actions: [any Action] = [],
    threw errors: [any Error] = [],
    sourceLocation: SourceLocation = #_sourceLocation
  ) -> ServicesResult {
    compare(actions, errors, sourceLocation)
    return self
  }

  fileprivate func compare(
    _ actions: [any Action],
    _ errors: [any Error],
    _ sourceLocation: SourceLocation
  ) {
    let differences = [
      describeListDifference(of: "actions sent", expected: actions, observed: self.actions),
      describeListDifference(of: "errors thrown", expected: errors, observed: self.errors),
    ]
    for case let difference? in differences { report(difference, sourceLocation) }
  }

  fileprivate func report(_ difference: String, _ sourceLocation: SourceLocation) {
    var text = difference
    // Often the reason for the difference.
    for error in errors { text += "\n  thrown: \(brief(error))" }
    for diagnostic in diagnostics { text += "\n  diagnosed: \(diagnostic)" }
    Reporter.current.report(text, at: sourceLocation)
  }
}

extension ServicesResult where Model: Equatable {
  /// Expects the actions to have changed nothing: see ``then(sent:threw:sourceLocation:_:)``.
  ///
  /// - Parameters:
  ///   - actions: what the services should have sent, in order.
  ///   - errors: what should have been thrown to the test, in order.
  ///   - sourceLocation: where to report.
  @discardableResult
  public func then(
    sent actions: [any Action] = [],
    threw errors: [any Error] = [],
    sourceLocation: SourceLocation = #_sourceLocation
  ) -> ServicesResult {
    then(sent: actions, threw: errors, sourceLocation: sourceLocation) { _ in }
  }

  /// Expects exactly this difference of the model, these actions to have been sent, and these errors to have been
  /// thrown; anything else is reported as an issue of the running test, the model's difference field by field.
  ///
  /// A model that is an object is the same object before and after; look at it with ``expect(_:)``.
  ///
  /// - Errors: throws what `change` throws.
  ///
  /// - Parameters:
  ///   - actions: what the services should have sent, in order.
  ///   - errors: what should have been thrown to the test, in order.
  ///   - sourceLocation: where to report.
  ///   - change: changes the model before into the model expected.
  @discardableResult
  public func then(
    sent actions: [any Action] = [],
    threw errors: [any Error] = [],
    sourceLocation: SourceLocation = #_sourceLocation,
    _ change: (inout Model) throws -> Void
  ) rethrows -> ServicesResult {
    compare(actions, errors, sourceLocation)
    guard let before, let model else {
      report("there is no \(Model.self) to compare: no reducer has it, or the cluster was not started", sourceLocation)
      return self
    }
    var expected = before
    try change(&expected)
    if !isSame(expected, model) {
      report(describeDifference(of: "model", expected: expected, observed: model), sourceLocation)
    }
    return self
  }
}
