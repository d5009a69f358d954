import Foundation
import Shapes

/// Measures the rows that are ratios of times and those that are bytes, in this one process, and prints a line for
/// each: its name, a tabulator and its figure. `Benchmarks/goals` starts it.
///
///     Ratios ROUNDS             all, the ratios from so many rounds
///     Ratios ROUNDS NAME ...    those whose names begin so
@main
enum Ratios {
  /// Serves the main actor, on which clusters are made, while a task does the rest.
  static func main() {
    Task.detached {
      do {
        try await measure(CommandLine.arguments.dropFirst())
      } catch {
        print("Ratios: \(error)")
        exit(1)
      }
      exit(0)
    }
    while true { _ = RunLoop.main.run(mode: .default, before: .distantFuture) }
  }

  private static func measure(_ arguments: ArraySlice<String>) async throws {
    let rounds = arguments.first.flatMap { Int($0) } ?? 9
    let names = arguments.dropFirst()
    func isAskedFor(_ name: String) -> Bool { names.isEmpty || names.contains(where: name.hasPrefix) }
    for ratio in Ratio.all where isAskedFor(ratio.name) {
      do {
        print(ratio.name, String(format: "%.4g", try await ratio.measure(rounds: rounds)), separator: "\t")
      } catch {
        throw Wrong(row: ratio.name, error: error)
      }
    }
    for footprint in Footprint.all where isAskedFor(footprint.name) {
      if let bytes = footprint.measure() { print(footprint.name, bytes, separator: "\t") }
    }
  }

  private struct Wrong: Error {
    let row: String
    let error: any Error
  }
}
