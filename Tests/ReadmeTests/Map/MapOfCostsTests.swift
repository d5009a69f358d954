import TestSupport
import Testing

/// The map of costs is complete: each public operation has a row that counts it, or a reason why none does.
struct MapOfCostsTests {
  /// Why an operation is not on the way of an event or a read.
  private static let reasons: Set<String> = [
    "made once", "text", "test kit", "whole file", "whole collection", "drawn afterwards", "stored value",
    "plain value", "end of life", "reports, rare",
  ]

  private static let products = [
    "Streams", "Aggregate", "RASPServices", "RASPCommands", "RASPCommandServices", "RASPObservation", "RASPInsight",
    "RASPJournal", "RASPLogs", "RASPTesting", "RASPServicesTesting", "RASPCommandsTesting", "RASPLogsTesting",
  ]

  @Test("each public function, initialiser, subscript and computed property stands in the map", arguments: products)
  func doors(product: String) throws {
    let mapped = Set(try cells(of: "Benchmarks/Map/doors.tsv").map { $0[0] }.filter { $0.hasPrefix("\(product)/") })
    let publicDoors = try PublicDoors.names(of: product)
    #expect(publicDoors.count > 5)
    #expect(
      publicDoors.subtracting(mapped).sorted() == [],
      "Give each a row in Benchmarks/Libraries/Costs or a reason, in Benchmarks/Map/doors.tsv."
    )
    #expect(
      mapped.subtracting(publicDoors).sorted() == [],
      "These are gone: take them out of Benchmarks/Map/doors.tsv."
    )
  }

  @Test("what stands beside an operation is a row that is counted, or a reason")
  func rows() throws {
    let counted = Set(try cells(of: "Benchmarks/Map/costs.tsv").map { $0[0] })
    for door in try cells(of: "Benchmarks/Map/doors.tsv") {
      try #require(door.count == 2, "\(door)")
      if door[1].hasPrefix("- ") {
        #expect(Self.reasons.contains(String(door[1].dropFirst(2))), "\(door)")
      } else {
        let unknown = door[1].split(separator: ", ").map { String($0) }.filter { !counted.contains($0) }
        #expect(unknown == [], "\(door[0])")
      }
    }
  }

  @Test("the page shows each row that is counted")
  func page() throws {
    let page = try SourceFiles.lines(of: "Sources/RASP.docc/Costs.md").joined(separator: "\n")
    for row in try cells(of: "Benchmarks/Map/costs.tsv") { #expect(page.contains("`\(row[0])`"), "\(row[0])") }
  }

  private func cells(of file: String) throws -> [[String]] {
    try SourceFiles.lines(of: file).filter { !$0.isEmpty && !$0.hasPrefix("#") }
      .map { $0.split(separator: "\t").map { String($0) } }
  }
}
