import RASPInsight

/// Writes down what happens, one line each, as it happens.
struct Narrator: Sendable {
  let output: Output
  let json: Bool

  func tell(_ kind: String, _ text: String) {
    output.line(
      json ? JSON.object(["kind": .string(kind), "text": .string(text)]).text : kind.padded(to: 12) + " " + text
    )
  }

  /// The last thing to be told: the state that it all led to.
  func summarize(_ library: LibraryState) {
    guard json else {
      let books = library.books.map { "  book         \($0)" + (library.revisions[$0.id].map { ", \($0)" } ?? "") }
      let rest = ["  corrections  \(library.corrections)", "  problem      \(library.problem ?? "none")"]
      return output.line((["", "Final state"] + books + rest).joined(separator: "\n"))
    }
    let state: JSON = .object([
      "books": .integer(library.books.count),
      "titles": .string(library.books.map(\.title).joined(separator: ", ")),
      "corrections": .integer(library.corrections),
      "problem": .string(library.problem),
    ])
    output.line(JSON.object(["summary": .object(["state": state])]).text)
  }
}
