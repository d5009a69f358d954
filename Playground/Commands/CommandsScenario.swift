import Aggregate
import RASPCommands
import RASPInsight
import Streams

extension Scenario {
  static let commands = Scenario(
    name: "commands",
    options: [.seconds, .json, .why],
    help: """
      A library whose books come from a slow store: commands are executed, handlers publish events,
      middleware logs and retries, reactions show, a fact is posted, and the events are folded into
      one state. Ends by itself in less than a second. --why leads on to the commands.
      """
  ) { arguments throws(RunFailure) in
    CommandsScenario(options: try Options(arguments, explaining: LibraryState.explainedFields.map(\.name)))
  }
}

/// A library whose books come from a slow store: commands, their events, and the state they lead to.
struct CommandsScenario: ScenarioRun {
  let options: Options
  /// Where time comes from.
  var scheduler: any Scheduler = .continuous
  /// The user's wish to end the run.
  var interrupts: Observable<Void, Never> = .interrupts

  func run(output: Output) async throws(RunFailure) {
    let narrator = Narrator(output: output, json: options.json)
    let engine = Engine()

    // The state: events of commands, and facts, are the sources of an aggregator.
    let library = Aggregator(
      initial: LibraryState(),
      sources: engine.events(of: BookList.self).map { LibraryEvent($0) },
      engine.events(of: BookUpdate.self).map { LibraryEvent($0) },
      engine.facts(of: LibraryTidied.self).map { LibraryEvent.tidied(corrections: $0.corrections) }
    )

    // A recording of the engine leads the causes of the events on, to the commands.
    let insight = Insight(on: scheduler)
    let recorder = options.record(library, as: "library", by: insight)
    let commands = recorder.map { _ in insight.record(engine, as: "engine") }

    prepare(engine, narrator)
    let reactions = react(engine, narrator)
    let states = library.select(\.books).subscribe { books in
      if !books.isEmpty { narrator.tell("state", books.map(\.title).joined(separator: ", ")) }
    }

    // An interrupt cancels the task, and a cancelled task cancels the command that it awaits.
    let story = Task { try await tell(engine) }
    let end = options.ends(after: nil, on: scheduler, or: interrupts).subscribe { story.cancel() }
    do { try await story.value } catch { narrator.tell("ended", "\(error)") }
    let explanation = options.explain(recorder, by: LibraryState.explainedFields)
    withExtendedLifetime((reactions, states, end, commands)) {}
    narrator.summarize(library.snapshot.json, lines: library.snapshot.lines, explanation)
  }

  /// What the person at the screen does.
  private func tell(_ engine: Engine) async throws {
    let books = try await engine.execute(BookList()).value
    let wrong = books.filter { $0.title.contains("Hobit") }
    for var book in wrong {
      book.title = "The Hobbit"
      _ = try await engine.execute(BookUpdate(book: book)).value
    }
    engine.post(LibraryTidied(corrections: wrong.count))
  }

  /// Handlers do the work; middleware writes down what passes, and tries again what may work the second time.
  private func prepare(_ engine: Engine, _ narrator: Narrator) {
    let store = BookStore(scheduler: scheduler)
    let cache = [Book(id: 1, title: "The Hobit", author: "J. R. R. Tolkien")]
    do {
      try engine.use(BookListHandler(store: store, cache: cache))
      try engine.use(BookUpdateHandler(store: store))
    } catch {
      narrator.tell("error", "\(error)")
    }
    engine.add(
      LogCommandMiddleware { narrator.tell("command", $0) },
      RetryUnreachable(scheduler: scheduler) { narrator.tell("retry", "\($0)") }
    )
    engine.add(ClosureMiddleware<any AnyCommandEvent>.log { narrator.tell("event", $0) })
    engine.errorHandler = { narrator.tell("error", "\($0)") }
  }

  /// What the screen shows.
  private func react(_ engine: Engine, _ narrator: Narrator) -> [Subscription] {
    [
      engine.react(
        to: BookList.self,
        wait: { narrator.tell("reaction", "spinner on") },
        consume: { narrator.tell("reaction", "show \($0.count) of the books") },
        rescue: { narrator.tell("reaction", "show the problem: \($0)") }
      ),
      engine.react(
        to: BookUpdate.self,
        consume: { narrator.tell("reaction", "show \($0.book), \($0.revision)") },
        rescue: { narrator.tell("reaction", "show the problem: \($0)") }
      ),
      engine.react(toFact: LibraryTidied.self) { narrator.tell("reaction", "thank for \($0.corrections) correction") },
    ]
  }
}
