import RASPInsight

/// Writes down what happens in a scenario without fields, one line each, as it happens.
struct Narrator: Sendable {
  let output: Output
  let json: Bool

  /// - Parameter kind: what sort of thing happens, in one word.
  func tell(_ kind: String, _ text: String) {
    // A text of several lines is one block.
    output.line(
      json
        ? JSON.object(["kind": .string(kind), "text": .string(text)]).text
        : kind.fitted(to: 12) + " " + text.hanging(by: 13)
    )
  }

  /// The last thing to be told: the state that it all led to, and what explains it.
  func summarize(_ state: JSON, lines: [String], _ explanation: Explanation?) {
    guard !json else {
      let summary: JSON = ["why": explanation?.json ?? .null, "state": state]
      return output.line(JSON.object(["summary": summary]).text)
    }
    let all = lines + (explanation?.lines ?? [])
    output.line((["", "Final state"] + all.map { "  " + $0 }).joined(separator: "\n"))
  }
}

/// An explanation in a summary.
extension Explanation {
  /// For people.
  var lines: [String] { ["why          " + description.hanging(by: 15)] }

  /// For programs.
  var json: JSON {
    let by = links.map { link in
      JSON.object([
        "lane": .string(link.lane), "number": .integer(Int64(link.number)), "label": .string(link.label),
        "seconds": .number(link.time / .seconds(1), decimals: 6),
      ])
    }
    return ["subject": .string(subject), "value": .string(value), "by": .array(by)]
  }
}
