import RASPInsight

/// The summary at the end of a run.
extension LibraryState {
  var lines: [String] {
    books.map { "book         \($0)" + (revisions[$0.id].map { ", \($0)" } ?? "") }
      + ["corrections  \(corrections)", "problem      \(problem ?? "none")"]
  }

  var json: JSON {
    .object([
      "books": .integer(Int64(books.count)),
      "titles": .string(books.map(\.title).joined(separator: ", ")),
      "corrections": .integer(Int64(corrections)),
      "problem": .string(problem),
    ])
  }
}

extension LibraryState {
  /// What `--why` explains, by the names of the fields.
  static let explainedFields: [ExplainedField<LibraryState>] = [
    ExplainedField("books", \.books),
    ExplainedField("corrections", \.corrections),
    ExplainedField("problem", \.problem),
  ]
}
