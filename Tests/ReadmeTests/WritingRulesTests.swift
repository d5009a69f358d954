import TestSupport
import Testing

/// What CONTRIBUTING says of the code holds for all of it.
struct WritingRulesTests {
  // The folders with sources by themselves: what was built beside them has very many files.
  @Test(
    "a comment has at most 120 columns",
    arguments: [
      "Sources", "Playground", "Tests", "JetStream/Sources", "JetStream/Tests", "Benchmarks/Application",
      "Benchmarks/Libraries", "Benchmarks/Tools", "Server/Sources", "Server/Tests",
      "Server/Example/Sources", "Server/Example/Tests",
    ]
  )
  func width(folder: String) throws {
    let files = try SourceFiles.swiftFiles(below: folder)
    #expect(!files.isEmpty)
    let manifests = ["Package.swift", "JetStream/Package.swift", "Benchmarks/Package.swift", "Server/Package.swift"]
    for file in files + manifests {
      for (index, line) in try SourceFiles.lines(of: file).enumerated() where line.count > 120 {
        #expect(!line.drop { $0 == " " }.hasPrefix("//"), "\(file):\(index + 1)")
      }
    }
  }

  @Test(
    "the texts have no riddles: a sentence names its subject",
    arguments: ["Sources", "Playground", "JetStream/Sources", "Benchmarks/Libraries", "Server/Sources"]
  )
  func words(folder: String) throws {
    let riddles = /\b(?:nobody|somebody|anybody|whoever|lets? go of|hears? of)\b/.ignoresCase()
    for file in try SourceFiles.swiftFiles(below: folder) {
      for (index, line) in try SourceFiles.lines(of: file).enumerated() {
        #expect(line.firstMatch(of: riddles) == nil, "\(file):\(index + 1)")
      }
    }
  }

  @Test(
    "files that an Apple system compiles in another way stand in the table of those that a first run has to look at"
  )
  func onlyOnApple() throws {
    var files: Set<String> = []
    for folder in ["Sources", "Playground"] {
      for file in try SourceFiles.swiftFiles(below: folder)
      where try SourceFiles.lines(of: file).contains(where: { $0.contains("canImport(Darwin)") }) {
        files.insert(file)
      }
    }
    let lines = try SourceFiles.lines(of: "CONTRIBUTING.md")
    let table = lines.drop { $0 != "| file | what a first run on a Mac has to look at |" }.dropFirst(2)
    var listed: Set<String> = []
    for row in table.prefix(while: { $0.hasPrefix("| ") }) {
      for file in row.split(separator: "|")[0].matches(of: /`([^`]+)`/) { listed.insert(String(file.1)) }
    }
    #expect(files == listed)
  }

  @Test("features of the compiler that are not official stand in the table, each with the modules that use it")
  func features() throws {
    let pattern =
      /@_\w+|@exclusivity\(unchecked\)|\b(?:_with\w+|_is[A-Z]\w+|_unsafe\w+|unsafeAddress|unsafeMutableAddress)\b/
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
