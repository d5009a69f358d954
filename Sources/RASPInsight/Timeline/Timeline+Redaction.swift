import RASPHistory
import Streams

extension Timeline {
  /// What is taken out of the texts of a run before it is drawn for others: positions, names, secrets.
  ///
  /// What an event has told is in the fields, too. So a redaction has two closures, and none of them can be left out.
  ///
  /// ```swift
  /// let anonymous = Timeline.Redaction { lane, field in
  ///   field.path.hasPrefix(".location") ? nil : field
  /// } label: { lane, label in
  ///   label.hasPrefix(".location") ? ".location" : label
  /// }
  /// try timeline.redacted(by: anonymous).page.write(toFile: "run.html", atomically: true, encoding: .utf8)
  /// ```
  ///
  /// For the recording of one aggregator there is `Recording.timeline(redacting:)`, whose closures get the values with
  /// their types.
  public struct Redaction: Sendable {
    fileprivate let field: @Sendable (_ lane: String, _ field: Field) -> Field?
    fileprivate let label: @Sendable (_ lane: String, _ label: String) -> String

    /// Makes a redaction.
    ///
    /// - Parameters:
    ///   - field: gets the name of a lane and a field of its state, and gives it without what is secret; `nil` leaves
    ///     the field out. The path is given, too, because the keys of dictionaries and rows are in it. It is called for
    ///     each value of the field, also those that are changed.
    ///   - label: gets the name of a lane and the text of something that happened there, or the reason for which it
    ///     failed, and gives it without what is secret.
    public init(
      field: @escaping @Sendable (_ lane: String, _ field: Field) -> Field?,
      label: @escaping @Sendable (_ lane: String, _ label: String) -> String
    ) {
      self.field = field
      self.label = label
    }
  }

  /// The same run without what is secret. Names of lanes, numbers, causes and times stay.
  ///
  /// - Complexity: O(occurrences and their changes).
  public func redacted(by redaction: Redaction) -> Timeline {
    var redacted = self
    for index in lanes.indices {
      redacted.lanes[index].initial = lanes[index].initial.compactMap { redaction.field(lanes[index].name, $0) }
    }
    let names = Dictionary(lanes.map { ($0.number, $0.name) }) { first, _ in first }
    for index in occurrences.indices {
      let occurrence = occurrences[index]
      let name = names[occurrence.id.lane] ?? ""
      redacted.occurrences[index].label = redaction.label(name, occurrence.label)
      redacted.occurrences[index].failure = occurrence.failure.map { redaction.label(name, $0) }
      redacted.occurrences[index].changes = occurrence.changes.compactMap { change in
        let old = change.old.flatMap { redaction.field(name, Field(path: change.path, value: $0)) }
        let new = change.new.flatMap { redaction.field(name, Field(path: change.path, value: $0)) }
        guard let path = new?.path ?? old?.path else { return nil }
        return Change(path: path, old: old?.value, new: new?.value)
      }
    }
    return redacted
  }
}
