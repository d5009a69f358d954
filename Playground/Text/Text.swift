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

  /// The lines, each but the first with so many spaces in front. An empty line stays empty.
  func hanging(by count: Int) -> String {
    split(separator: "\n", omittingEmptySubsequences: false)
      .joined(separator: "\n" + String(repeating: " ", count: count))
  }
}

/// The name of the case of an enumeration, without what it carries.
func caseName(_ value: some Sendable) -> String { Mirror(reflecting: value).children.first?.label ?? "\(value)" }

extension [String] {
  /// The words as a list in a sentence: `a, b and c`.
  var listed: String { count < 2 ? first ?? "" : dropLast().joined(separator: ", ") + " and " + self[count - 1] }
}
