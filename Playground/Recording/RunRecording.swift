import Aggregate
import Foundation
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
  func why(by recorder: FlightRecorder<State>) -> Explanation {
    let (subject, explanation) = ("\(recorder.recording.name).\(name)", explain(recorder))
    return Explanation(subject: subject, value: explanation.value, links: explanation.links, end: explanation.end)
  }
}

extension Options {
  /// Records the newest events if a field is to be explained.
  ///
  /// - Parameter isNeeded: whether to record also if none is.
  func record<State>(
    _ aggregator: Aggregator<State>,
    as name: String,
    by insight: Insight,
    isNeeded: Bool = false
  ) -> FlightRecorder<State>? {
    guard isNeeded || explainedField != nil else { return nil }
    // A page with as many events is still usable.
    return insight.record(aggregator, as: name, last: 100_000)
  }

  /// Explains the field that was asked for, if something was recorded.
  func explain<State>(_ recorder: FlightRecorder<State>?, by fields: [ExplainedField<State>]) -> Explanation? {
    guard let recorder, let name = explainedField else { return nil }
    return fields.first { $0.name == name }?.why(by: recorder)
  }
}

extension FlightRecorder where State: AggregateState {
  /// Writes a page of what was recorded so far into the current folder, under the first of `system.html`,
  /// `system-2.html` … that is not there yet.
  ///
  /// - Returns: what is to be told about it.
  func writePage() -> String {
    let recording = recording
    var (path, number) = (recording.name + ".html", 1)
    while FileManager.default.fileExists(atPath: path) {
      number += 1
      path = "\(recording.name)-\(number).html"
    }
    do {
      try recording.timeline.page.write(toFile: path, atomically: true, encoding: .utf8)
      return "a page of \(recording.entries.count) events is in \(path)"
    } catch {
      return "cannot write \(path): \(error.localizedDescription)"
    }
  }
}
