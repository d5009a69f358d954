import TestSupport
import Testing

/// The page about promises is as true as the sources: a name or an enumeration that is new has to be put on it, on
/// purpose.
struct PromisesTests {
  private let page = "Sources/RASP.docc/Promises.md"

  private func rows(after heading: String) throws -> [[Substring]] {
    try SourceFiles.lines(of: page).drop { $0 != "### \(heading)" }.dropFirst()
      .prefix { !$0.hasPrefix("### ") }
      .filter { $0.hasPrefix("| `") }
      .map { $0.split(separator: " | ") }
  }

  @Test(
    "FACE-120: the top-level names of a stable product are those on the page",
    arguments: ["Streams", "Aggregate", "RASPObservation", "RASPTesting", "RASPJournal"]
  )
  func topLevelNames(module: String) throws {
    let names = try SourceFiles.lines(of: ".ci/interfaces/\(module).txt")
      .compactMap { $0.firstMatch(of: /^([A-Za-z]\w*)(?:  |\()/).map { String($0.1) } }
    let row = try #require(try rows(after: "Top-level names of the stable products").first { $0[0] == "| `\(module)`" })
    #expect(row[1].matches(of: /`(\w+)`/).map { String($0.1) } == Set(names).sorted())
  }

  @Test("FACE-121: a public enumeration says that it may grow, or stands on the page with the reason why it is closed")
  func enumerations() throws {
    var closed: Set<String> = []
    for folder in ["Sources", "JetStream/Sources", "Server/Sources"] {
      for file in try SourceFiles.swiftFiles(below: folder) {
        let lines = try SourceFiles.lines(of: file)
        for (index, line) in lines.enumerated() {
          guard let name = line.firstMatch(of: /^ *public (?:indirect )?enum ([A-Z]\w*)/)?.1 else { continue }
          let attributes = lines[..<index].suffix(3).map { $0.drop { $0 == " " } }
          if attributes.contains("@nonexhaustive") { continue }
          let indent = line.prefix { $0 == " " }
          let body = lines[(index + 1)...].prefix { !$0.hasPrefix("\(indent)}") }
          // One without cases is a namespace.
          if body.contains(where: { $0.hasPrefix("\(indent)  case ") }) { closed.insert(String(name)) }
        }
      }
    }
    let listed = try rows(after: "Enumerations that stay as they are").compactMap {
      $0[0].firstMatch(of: /(\w+)`+$/).map { String($0.1) }
    }
    #expect(closed == Set(listed))
  }
}
