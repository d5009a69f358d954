import Aggregate
import Streams
import TestSupport
import Testing

/// The article "Performance": its blocks run, and each of its claims names a row of the table of goals.
@Suite("Performance")
struct Performance {
  struct Fleet: AggregateState {
    var ships: Keyed<String, Double> = [:]

    mutating func apply(_ event: (ship: String, speed: Double)) { ships[event.ship] = event.speed }
  }

  @Test("rows of one state, and events in packets")
  func rows() {
    let fleet = Aggregator(initial: Fleet())
    let one = fleet.select(\.ships, key: "Anna").subscribe { speed in print(speed ?? 0) }  // told of this ship only
    fleet.send(contentsOf: [(ship: "Anna", speed: 7), (ship: "Berta", speed: 5), (ship: "Carla", speed: 6)])
    #expect(fleet.snapshot.ships["Carla"] == 6)
    withExtendedLifetime(one) {}
  }

  @Test("each row of the article names a row of the table of goals")
  func claims() throws {
    let goals = try SourceFiles.lines(of: "Benchmarks/goals.tsv").map { $0.prefix { $0 != "\t" } }
    let claims = try SourceFiles.lines(of: "Sources/RASP.docc/Performance.md").map(cells).filter { $0.count == 3 }
    #expect(claims.count > 15)
    for claim in claims.dropFirst() {
      #expect(goals.contains { "`\($0)`" == claim[2] }, "\(claim[2])")
    }
  }

  private func cells(of line: String) -> [String] {
    guard line.hasPrefix("| ") else { return [] }
    return line.dropFirst(2).dropLast(2).split(separator: " | ").map(String.init)
  }
}
