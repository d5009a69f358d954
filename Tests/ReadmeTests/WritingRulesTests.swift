import TestSupport
import Testing

/// What CONTRIBUTING says of the code holds for all of it.
struct WritingRulesTests {
  @Test("a comment has at most 120 columns", arguments: ["Sources", "Playground", "Tests", "JetStream", "Benchmarks"])
  func width(folder: String) throws {
    let files = try SourceFiles.swiftFiles(below: folder).filter { !$0.contains("/.build") }
    #expect(!files.isEmpty)
    for file in files {
      for (index, line) in try SourceFiles.lines(of: file).enumerated() where line.count > 120 {
        #expect(!line.drop { $0 == " " }.hasPrefix("//"), "\(file):\(index + 1)")
      }
    }
  }

  @Test("features of the compiler that are not official stand in the table, each with the modules that use it")
  func features() throws {
    let pattern =
      /@_\w+|@exclusivity\(unchecked\)|\b(?:_with\w+|_is[A-Z]\w+|unsafeAddress|unsafeMutableAddress)\b/
    var used: Set<String> = []
    for file in try SourceFiles.swiftFiles(below: "Sources") {
      let module = file.split(separator: "/")[1]
      for line in try SourceFiles.lines(of: file) where !line.drop(while: { $0 == " " }).hasPrefix("//") {
        for match in line.matches(of: pattern) { used.insert("\(match.0) in \(module)") }
      }
    }
    var listed: Set<String> = []
    let table = try SourceFiles.lines(of: "CONTRIBUTING.md").drop { $0 != "| feature | modules | why |" }.dropFirst(2)
    for row in table.prefix(while: { $0.hasPrefix("| ") }) {
      let cells = row.split(separator: "|")
      for feature in cells[0].matches(of: /`([^`]+)`/) {
        for module in cells[1].matches(of: /`([^`]+)`/) { listed.insert("\(feature.1) in \(module.1)") }
      }
    }
    #expect(used == listed)
  }
}
