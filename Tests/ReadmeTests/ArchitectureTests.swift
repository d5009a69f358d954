import TestSupport
import Testing

/// The page about the architecture names what is there.
struct ArchitectureTests {
  private let page = "Sources/RASP.docc/Architecture.md"

  @Test("every folder of the two lowest modules stands on the page", arguments: ["Streams", "Aggregate"])
  func folders(module: String) throws {
    let text = try SourceFiles.lines(of: page)
    let paths = try SourceFiles.swiftFiles(below: "Sources/\(module)").map { $0.split(separator: "/") }
    let folders = Set(paths.filter { $0.count > 3 }.map { $0[2] })
    #expect(folders.count > 5)
    for folder in folders {
      #expect(text.contains { $0.hasPrefix("| ") && $0.contains("`\(folder)`") }, "\(folder)")
    }
  }

  @Test("what a module uses is what the manifest says")
  func modules() throws {
    let rows = try SourceFiles.lines(of: page).filter { $0.hasPrefix("| `") }.map { $0.split(separator: " | ") }
    let targets = try SourceFiles.lines(of: "Package.swift").joined(separator: " ")
    let libraries = targets.matches(of: /\.target\(\s*name: "(\w+)"(?:, *dependencies: \[([^\]]*)\])?/)
      .filter { $0.1 != "TestSupport" }
    #expect(libraries.count == 9)
    for library in libraries {
      let row = try #require(rows.first { $0[0] == "| `\(library.1)`" }, "\(library.1)")
      let uses = (library.2 ?? "").split(separator: ",").map { $0.filter(\.isLetter) }.filter { !$0.isEmpty }
      #expect(row[1].matches(of: /`(\w+)`/).map { String($0.1) }.sorted() == uses.sorted(), "\(library.1)")
    }
  }
}
