import Foundation
import Shapes

/// Prints the table of ratios: each shape and what it is measured against, by turns, in this one process.
///
///     Ratios                            the table
///     Ratios --rounds N                 the table, from N rounds
///     Ratios --row TEXT                 the rows in which TEXT occurs
///     Ratios --shape NAME --events N    one run of one shape, for a profiler; prints nanoseconds per event
@main
struct Ratios {
  /// Serves the main actor, on which clusters are made, while a task does the rest. That is what an asynchronous `main`
  /// would do, but there the main thread turns into one that handles signals, and valgrind does not survive that.
  static func main() {
    Task.detached {
      do {
        try await run(Options(CommandLine.arguments.dropFirst()))
      } catch {
        print("Ratios: \(error)")
        exit(1)
      }
      exit(0)
    }
    while true { _ = RunLoop.main.run(mode: .default, before: .distantFuture) }
  }

  private static func run(_ options: Options) async throws {
    if let shape = options.shape {
      let events = options.events ?? shape.events
      print(shape.name, nanoseconds(try await shape.measure(events: events), per: events))
    } else {
      try await Table(options).print()
    }
  }
}

func nanoseconds(_ duration: Duration, per events: Int) -> Double {
  duration / .nanoseconds(1) / Double(events)
}
