import FleetProcesses

/// What is shown of a fleet: the same for a terminal, as a table, and without one, as a line.
struct FleetPicture: Equatable, Sendable {
  struct Row: Equatable, Sendable {
    var name: String
    var pid: Int32
    var partitions: [Int]
    var rate: Int
    var lag: Int
    var hottest: String
  }

  var title: String
  var partitions: Int
  var rows: [Row]
  /// How long the partitions of the last owner that was killed had no owner.
  var takeover: Duration?

  /// The partitions that no owner has now.
  var orphans: [Int] {
    assert(partitions > 0, "A log has partitions.")
    let owned = Set(rows.flatMap(\.partitions))
    return (0..<partitions).filter { !owned.contains($0) }
  }

  var table: [String] {
    let cells = [["owner", "pid", "partitions", "readings/s", "lag", "hottest"]] + rows.map(Self.cells)
    var end = ["\(rows.reduce(0) { $0 + $1.rate }) readings/s, lag \(rows.reduce(0) { $0 + $1.lag })"]
    if !orphans.isEmpty { end.append("Partitions without an owner: \(Self.list(orphans))") }
    if let takeover { end.append("The last takeover took \(Self.text(takeover)).") }
    return [title, ""] + FleetProcesses.table(cells, gap: 3) + [""] + end + [
      "", "k kills an owner   n starts one   q quits",
    ]
  }

  var line: String {
    let owners = rows.map { "\($0.name) owns \(Self.list($0.partitions))" }.joined(separator: "; ")
    let rest = orphans.isEmpty ? "" : "; without an owner: \(Self.list(orphans))"
    return "\(rows.reduce(0) { $0 + $1.rate }) readings/s, lag \(rows.reduce(0) { $0 + $1.lag }); \(owners)\(rest)"
  }

  private static func cells(_ row: Row) -> [String] {
    [row.name, "\(row.pid)", list(row.partitions), "\(row.rate)", "\(row.lag)", row.hottest]
  }

  private static func list(_ partitions: [Int]) -> String {
    partitions.isEmpty ? "none" : partitions.map { "\($0)" }.joined(separator: " ")
  }

  private static func text(_ duration: Duration) -> String {
    let tenths = Int(duration / .milliseconds(100))
    return "\(tenths / 10).\(tenths % 10) s"
  }
}
