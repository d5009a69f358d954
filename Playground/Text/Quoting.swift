extension String {
  /// A text from outside on one line, without what a terminal would obey, and what would turn its direction.
  var printable: String {
    let scalars = unicodeScalars.map { scalar -> Unicode.Scalar in
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator: "?"
      default: scalar
      }
    }
    return String(String.UnicodeScalarView(scalars))
  }

  /// What the user typed, on one line and not too long to be read.
  var quoted: String { "“" + String(String.UnicodeScalarView(unicodeScalars.prefix(80))).printable + "”" }

  /// The lines, each with so many spaces in front. An empty line stays empty.
  func indented(by count: Int) -> String {
    split(separator: "\n", omittingEmptySubsequences: false)
      .map { $0.isEmpty ? "" : String(repeating: " ", count: count) + $0 }
      .joined(separator: "\n")
  }
}

extension [String] {
  /// The words as a list in a sentence: `a, b and c`.
  var listed: String {
    count < 2 ? first ?? "" : dropLast().joined(separator: ", ") + " and " + self[count - 1]
  }
}
