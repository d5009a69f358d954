import AggregateCosts
import Callgrind
import CommandCosts
import CostRows
import FileCosts
import KeyedCosts
import ObservedCosts
import OperatorCosts
import StreamCosts

/// Runs the rows of the map of costs, under callgrind, or lists them.
///
/// `Costs` runs all, `Costs NAME …` those whose name is one of the arguments or begins with it, and `Costs --list` prints what
/// the map says of each row, in columns separated by tabulators.
@main
enum Costs {
  static let rows = streamRows + operatorRows + aggregateRows + keyedRows + observedRows + commandRows + fileRows

  static func main() {
    let arguments = CommandLine.arguments.dropFirst()
    if arguments.first == "--list" {
      for row in rows { print(line(of: row)) }
      return
    }
    guard callgrind_is_counting() else {
      print("Nothing counts: run Benchmarks/costs, which starts this program under callgrind.")
      return
    }
    let chosen = rows.filter { row in arguments.isEmpty || arguments.contains(where: row.name.hasPrefix) }
    // Those with tasks come last: a timer or a task that one of them leaves behind would be counted in the next row.
    for row in chosen.filter(\.isRepeatable) + chosen.filter({ !$0.isRepeatable }) { row.run() }
  }

  private static func line(of row: CostRow) -> String {
    let peer = row.peer.map { "\($0.library)\t\($0.instructions)" } ?? "\t"
    return [row.name, row.operation, "\(row.should)", row.isRepeatable ? "yes" : "no", row.unit, row.note, peer]
      .joined(separator: "\t")
  }
}
