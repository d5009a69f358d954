import Foundation
import RASPTesting
import Streams
import TestSupport
import Testing

@testable import Playground

@Suite("The scenario commands", .endsInTime)
struct CommandsScenarioTests {
  /// Runs the scenario to its end, in no time.
  private func run(
    json: Bool = false,
    duration: Duration? = nil,
    explainedField: String? = nil,
    interrupts: Observable<Void, Never> = .merge([])
  ) async throws -> OutputFile {
    let (file, scheduler) = (try OutputFile(), VirtualScheduler())
    let scenario = CommandsScenario(
      options: Options(
        duration: duration,
        json: json,
        explainedField: explainedField
      ),
      scheduler: scheduler,
      interrupts: interrupts
    )
    let hasEnded = Lock(false)
    let run = Task {
      try await scenario.run(output: file.output)
      hasEnded.withLock { $0 = true }
    }
    // One step at a time: a sleeper is woken when there is nothing else to do before.
    let ended = await eventually {
      if let next = scheduler.pending.first { scheduler.advance(to: next) }
      return hasEnded.withLock { $0 }
    }
    #expect(ended)
    try await run.value
    return file
  }

  @Test("books come from the cache, then from the store at the second try; a typo is corrected; a fact is posted")
  func story() async throws {
    let lines = try await run().lines()
    #expect(
      lines == [
        "command      execute BookList()",
        "event        publish progress of BookList",
        "reaction     spinner on",
        "event        publish data of BookList: [“The Hobit” by J. R. R. Tolkien]",
        "state        The Hobit",
        "reaction     show 1 of the books",
        "retry        BookList()",
        "event        publish progress of BookList",
        "reaction     spinner on",
        "event        publish data of BookList: [“The Hobit” by J. R. R. Tolkien]",
        "reaction     show 1 of the books",
        "command      handled BookList()",
        "event        publish data of BookList: [“The Hobit” by J. R. R. Tolkien, “Momo” by Michael Ende, "
          + "“Emil and the Detectives” by Erich Kästner]",
        "state        The Hobit, Momo, Emil and the Detectives",
        "reaction     show 3 of the books",
        "command      execute BookUpdate(book: “The Hobbit” by J. R. R. Tolkien)",
        "event        publish progress of BookUpdate",
        "command      handled BookUpdate(book: “The Hobbit” by J. R. R. Tolkien)",
        "event        publish data of BookUpdate: (book: “The Hobbit” by J. R. R. Tolkien, revision: revision 1)",
        "state        The Hobbit, Momo, Emil and the Detectives",
        "reaction     show “The Hobbit” by J. R. R. Tolkien, revision 1",
        "event        publish data of FactCommand<LibraryTidied>: LibraryTidied(corrections: 1)",
        "reaction     thank for 1 correction",
        "",
        "Final state",
        "  book         “The Hobbit” by J. R. R. Tolkien, revision 1",
        "  book         “Momo” by Michael Ende",
        "  book         “Emil and the Detectives” by Erich Kästner",
        "  corrections  1",
        "  problem      none",
        "",
      ]
    )
  }

  @Test("with --json every line is an object, and the last one is the summary")
  func json() async throws {
    let objects = try await run(json: true).objects()
    #expect(objects.dropLast().allSatisfy { $0["kind"] is String && $0["text"] is String })
    let summary = try #require(objects.last?["summary"] as? [String: Any])
    let state = try #require(summary["state"] as? [String: Any])
    #expect(state["titles"] as? String == "The Hobbit, Momo, Emil and the Detectives")
    #expect(state["corrections"] as? Int == 1)
    #expect(state["problem"] is NSNull)
  }

  @Test("when the time is up the command under way is cancelled, and the reactions hear of it")
  func cancelled() async throws {
    let lines = try await run(duration: .milliseconds(10)).lines()
    #expect(lines.contains("reaction     show the problem: CancellationError()"))
    #expect(lines.contains("ended        CancellationError()"))
    #expect(lines.contains("Final state"))
    #expect(!lines.contains("command      handled BookList()"))
  }

  @Test("the books are explained by the event that listed them, and by the commands that brought it about")
  func why() async throws {
    let lines = try await run(explainedField: "books").lines()
    let why = try #require(lines.first { $0.hasPrefix("  why") })
    #expect(why.contains("library.books = ") && why.contains("The Hobbit"))
    #expect(lines.contains { $0.contains("by library #") && $0.contains(".updated(") })
    #expect(lines.contains { $0.contains("by engine  #") || $0.contains("by engine #") })
  }
}
