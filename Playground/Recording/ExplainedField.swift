import Aggregate
import RASPInsight
import RASPKeyed

/// A field of a state whose value can be explained, by its name.
struct ExplainedField<State: AggregateState>: Sendable {
  let name: String
  private let explain: @Sendable (FlightRecorder<State>) -> Explanation

  init<Field: Equatable & Sendable>(_ name: String, _ keyPath: any KeyPath<State, Field> & Sendable) {
    self.name = name
    explain = { $0.why(keyPath) }
  }

  /// - Parameter key: the key of the row that has the field.
  init<Key, Row, Field: Equatable & Sendable>(
    _ name: String,
    of key: Key,
    _ keyPath: any KeyPath<Row, Field> & Sendable
  ) where State == RecordedRows<Key, Row> {
    self.name = name
    explain = { $0.why(keyPath, of: key) }
  }

  /// Explains the value. The key path of a computed property does not know its name.
  ///
  /// - Parameter lane: the name of what was recorded.
  func why(_ lane: String, by recorder: FlightRecorder<State>) -> Explanation {
    let explanation = explain(recorder)
    return Explanation(
      subject: "\(lane).\(name)",
      value: explanation.value,
      links: explanation.links,
      end: explanation.end
    )
  }
}
