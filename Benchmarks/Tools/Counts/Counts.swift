import Callgrind
import CountedRows
import Counting
import Foundation

/// Runs the rows that are counted, under callgrind: all, or those whose names begin with one of the arguments.
/// `Benchmarks/goals` starts it.
@main
enum Counts {
  static func main() {
    guard callgrind_is_counting() else {
      print("Nothing counts: this runs under callgrind, and has to be built where the headers of valgrind are.")
      exit(1)
    }
    let arguments = CommandLine.arguments.dropFirst()
    let chosen = countedRows.filter { row in arguments.isEmpty || arguments.contains(where: row.name.hasPrefix) }
    CountedRow.calibrate()
    // Those with tasks come last: a timer or a task that one of them leaves behind would be counted in the next row.
    for row in chosen.filter(\.isRepeatable) + chosen.filter({ !$0.isRepeatable }) { row.run() }
  }
}
