extension String {
  /// What the user typed, on one line and not too long to be read.
  var quoted: String {
    let printable = unicodeScalars.prefix(80).map {
      $0.properties.generalCategory == .control ? "?" : $0
    }
    return "“" + String(String.UnicodeScalarView(printable)) + "”"
  }

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
