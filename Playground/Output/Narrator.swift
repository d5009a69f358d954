import RASPInsight

/// Writes down what happens, one line each, as it happens.
struct Narrator: Sendable {
  let output: Output
  let json: Bool

  /// - Parameter kind: what sort of thing happens, in one word.
  func tell(_ kind: String, _ text: String) {
    guard !json else {
      return output.line(JSON.object(["kind": .string(kind), "text": .string(text)]).text)
    }
    // A text of several lines is one block.
    output.line(kind.padded(to: 12) + " " + text.indented(by: 13).drop { $0 == " " })
  }

  /// The last thing to be told: the state that it all led to.
  ///
  /// - Parameters:
  ///   - json: what else there is to say.
  ///   - lines: the state and what else there is to say, for people.
  func summarize(_ state: JSON, json members: [JSON.Member] = [], lines: [String]) {
    output.line(
      json
        ? JSON.object(["summary": .object(members + [JSON.Member(key: "state", value: state)])]).text
        : (["", "Final state"] + lines.map { "  " + $0 }).joined(separator: "\n")
    )
  }
}
