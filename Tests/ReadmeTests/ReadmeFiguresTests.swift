import Foundation
import TestSupport
import Testing

/// The figures of the README come from the table of goals, or are counted here.
struct ReadmeFiguresTests {
  /// The rows of the README's table of RASP, each with its row in the table of goals.
  private static let rows = [
    "two subjects, one aggregator, three selections": "pipeline",
    "an event into a dictionary of 100,000 entries": "large",
    "1,000 observers of fields that do not change": "idle.views",
    "30 events into 10,000 rows that are all subscribed to": "rows.observed",
  ]

  @Test("each ratio of RASP is that of its row in the benchmarks")
  func ratios() throws {
    let claims = try cells(of: "README.md").filter { $0.count == 2 && $0[1].contains(" × the time ") }
    #expect(claims.count == Self.rows.count)
    let measured = try figures()
    for claim in claims {
      let name = try #require(Self.rows[claim[0]], "\(claim[0])")
      let figure = try #require(measured[name], "\(name)")
      let (claimed, ratio) = (try #require(number(claim[1])), try #require(number(figure)))
      // The README rounds to one decimal.
      #expect((claimed - ratio).magnitude <= 0.05 + 1e-9, "\(claim[0]): \(claimed), measured \(ratio)")
    }
  }

  @Test("each time of another library is that of its row in the benchmarks")
  func otherLibraries() throws {
    let table = try cells(of: "README.md").filter { $0.count == 8 }
    let (names, times) = (try #require(table.first), try #require(table.last))
    let measured = try cells(of: "Benchmarks/README.md").filter { $0.count == 2 }
    #expect(times[0] == "time per event" && times[1] == "1")
    for (name, time) in zip(names, times).dropFirst(2) where time != "not on Linux" {
      let library = String(name.dropFirst().prefix { $0 != "]" })
      #expect(measured.contains { $0[0].hasSuffix(library) && $0[1] == time }, "\(library) \(time)")
    }
  }

  @Test("FACE-80: each number of instructions in the README stands in the table of goals")
  func instructions() throws {
    let readme = try SourceFiles.lines(of: "README.md").joined(separator: " ").replacing(#/ +/#, with: " ")
    let measured = try figures()
    let claims = readme.matches(of: #/([0-9,]+) instructions(?: an event)? \(`([A-Za-z.]+)`\)/#)
    #expect(claims.count == 3)
    for claim in claims {
      #expect(measured[String(claim.2)] == claim.1.filter { $0 != "," }, "\(claim.0)")
    }
  }

  @Test("what the README counts is there as often")
  func counts() throws {
    let readme = try SourceFiles.lines(of: "README.md").joined(separator: " ")
    let contract = try SourceFiles.lines(of: "Sources/Streams/Streams.docc/Contract.md")
    #expect(readme.contains("twelve rules with a test for each"))
    #expect(contract.count { $0.firstMatch(of: #/^### \d+\. /#) != nil } == 12)
    #expect(readme.contains("A tutorial in ten steps"))
    let steps = try SourceFiles.swiftFiles(below: "Sources/RASP.docc/Resources").filter { $0.contains("Greenhouse-") }
    #expect(steps.count == 10)
    #expect(readme.contains("delivered 1,024 items of other threads"))
    let queue = try SourceFiles.lines(of: "Sources/Streams/Delivery/LineDraining.swift")
    #expect(queue.contains { $0.contains("foreignLimit: Int { 1024 }") })
  }

  /// What was measured last, by the names of the rows of the table of goals.
  private func figures() throws -> [String: String] {
    let rows = try SourceFiles.lines(of: "Benchmarks/goals.tsv").filter { !$0.isEmpty && !$0.hasPrefix("#") }
      .map { $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init) }
    return Dictionary(uniqueKeysWithValues: rows.map { ($0[0], $0[3]) })
  }

  /// The cells of the lines of tables.
  private func cells(of file: String) throws -> [[String]] {
    try SourceFiles.lines(of: file).filter { $0.hasPrefix("| ") && $0.hasSuffix(" |") }.map { line in
      line.split(separator: "|", omittingEmptySubsequences: false).dropFirst().dropLast()
        .map { $0.trimmingCharacters(in: .whitespaces) }
    }
  }

  /// The number that a cell begins with.
  private func number(_ cell: String) -> Double? { Double(cell.prefix { $0.isNumber || $0 == "." }) }
}
