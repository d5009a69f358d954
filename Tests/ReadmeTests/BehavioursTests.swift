import TestSupport
import Testing

/// Holds the table of behaviours and the names of the tests together.
@Suite("Behaviours")
struct BehavioursTests {
  @Test("every identifier in the name of a test is in the table, and every row of the table is named by a test")
  func table() throws {
    let rows = try SourceFiles.lines(of: "Tests/Behaviours.md").compactMap { identifiers(in: $0.prefix(16)).first }
    let files = try SourceFiles.swiftFiles(below: "Tests") + SourceFiles.swiftFiles(below: "Server/Tests")
    let named = try files.flatMap { path in
      try names(in: SourceFiles.lines(of: path)).flatMap { identifiers(in: $0[...]) }
    }
    #expect(!rows.isEmpty)
    #expect(rows.count == Set(rows).count, "a row stands twice")
    #expect(Set(named).subtracting(rows) == [], "named by a test, and not in the table")
    #expect(Set(rows).subtracting(named) == [], "in the table, and not named by a test")
  }

  @Test("an identifier is followed by a sentence")
  func sentences() throws {
    for path in try SourceFiles.swiftFiles(below: "Tests") {
      for name in try names(in: SourceFiles.lines(of: path)) where !identifiers(in: name[...]).isEmpty {
        let words = name.drop { $0 != ":" }.split(separator: " ").dropFirst()
        #expect(words.count >= 3, "\(path): \(name)")
      }
    }
  }

  /// The names of tests and suites, which stand behind `@Test(` or `@Suite(`, or in the next line.
  private func names(in lines: [String]) -> [String] {
    zip([""] + lines, lines).compactMap { previous, line in
      let text = line.drop { $0 == " " }
      let isName =
        text.hasPrefix("@Test(\"") || text.hasPrefix("@Suite(\"")
        || text.hasPrefix("\"") && ["@Test(", "@Suite("].contains { previous.hasSuffix($0) }
      return isName ? String(text.drop { $0 != "\"" }) : nil
    }
  }

  /// What looks like `AGG-01` or `S-MAP-01`.
  private func identifiers(in text: Substring) -> [String] {
    text.matches(of: /\b(?:[A-Z]-)?[A-Z]{2,}-[0-9]{2}\b/).map { String($0.output) }
  }
}
