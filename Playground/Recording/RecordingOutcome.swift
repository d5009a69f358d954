import RASPInsight

/// What came of recording a run, for its summary.
struct RecordingOutcome: Sendable {
  var explanation: Explanation?
  /// How many events were written; `nil` if no file was asked for.
  var events: Int?
  /// The reason for which the file could not be written.
  var failure: RunFailure?

  /// For people.
  var lines: [String] {
    let written = events.flatMap { failure == nil ? ["recorded     \($0) events"] : nil } ?? []
    return written + (explanation.map { ["why          " + $0.description.indented(by: 15).dropFirst(15)] } ?? [])
  }

  /// For programs.
  var json: [JSON.Member] {
    let written =
      events.flatMap { failure == nil ? [JSON.Member(key: "recorded", value: .integer(Int64($0)))] : nil } ?? []
    return written + (explanation.map { [JSON.Member(key: "why", value: $0.json)] } ?? [])
  }

  /// Ends a run whose summary has been written.
  func check() throws(RunFailure) {
    if let failure { throw failure }
  }
}

extension Explanation {
  fileprivate var json: JSON {
    .object([
      "subject": .string(subject),
      "value": .string(value),
      "by": .array(
        links.map { link in
          .object([
            "lane": .string(link.lane), "number": .integer(Int64(link.number)), "label": .string(link.label),
            "seconds": .number(link.time / .seconds(1), decimals: 6),
          ])
        }
      ),
    ])
  }
}
