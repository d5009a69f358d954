import TestSupport
import Testing

/// The page about the architecture names what is there.
struct ArchitectureTests {
  private let page = "Sources/RASP.docc/Architecture.md"

  @Test(
    "every folder of the largest modules and of the Playground stands on the page",
    arguments: ["Sources/Streams", "Sources/Aggregate", "Sources/RASPKeyed", "Playground"]
  )
  func folders(module: String) throws {
    let text = try SourceFiles.lines(of: page)
    let depth = module.split(separator: "/").count
    let paths = try SourceFiles.swiftFiles(below: module).map { $0.split(separator: "/") }
    let folders = Set(paths.filter { $0.count > depth + 1 }.map { $0[depth] })
    #expect(folders.count > 2)
    for folder in folders {
      #expect(text.contains { $0.hasPrefix("| ") && $0.contains("`\(folder)`") }, "\(folder)")
    }
  }

  @Test("what a module uses is what the manifest says")
  func modules() throws {
    let rows = try SourceFiles.lines(of: page).filter { $0.hasPrefix("| `") }.map { $0.split(separator: " | ") }
    let targets = try SourceFiles.lines(of: "Package.swift").joined(separator: " ")
    let libraries = targets.matches(
      of: /\.(?:t|executableT)arget\(\s*name: "([\w-]+)"(?:, *dependencies: \[([^\]]*)\])?/
    )
    .filter { !$0.1.hasSuffix("TestSupport") }
    #expect(libraries.count == 16)
    for library in libraries {
      let row = try #require(rows.first { $0[0] == "| `\(library.1)`" }, "\(library.1)")
      let uses = (library.2 ?? "").split(separator: ",").map { $0.filter(\.isLetter) }.filter { !$0.isEmpty }
      #expect(row[1].matches(of: /`(\w+)`/).map { String($0.1) }.sorted() == uses.sorted(), "\(library.1)")
    }
  }
}
