import Aggregate
import RASPInsight
import RASPJournal
import Streams

extension Scenario {
  static let system = Scenario(
    name: "system",
    options: [.seconds, .json, .why, .journal],
    help: """
      This machine's own sensors, each read by a timer of its own: processor load, memory,
      network traffic, the hottest temperature. A sensor that this machine lacks is shown as
      unknown. Ends after 30 seconds. On a terminal ? shows the keys.
      """
  ) { arguments throws(RunFailure) in
    SystemScenario(options: try Options(arguments, explaining: SystemEvent.sourceNames))
  }
}

/// This machine's own sensors: four sources, one state, four selections.
struct SystemScenario: ScenarioRun {
  static let defaultDuration: Duration = .seconds(30)

  let options: Options
  /// Where time comes from.
  var scheduler: any Scheduler = .continuous
  /// The user's wish to end the run.
  var interrupts: Observable<Void, Never> = .interrupts
  /// What the user presses while the picture is shown.
  var keys: Observable<TerminalKey, Never> = .keys

  func run(output: Output) async throws(RunFailure) {
    let style = OutputStyle(options, for: output)

    // The state, and the only place where it changes. Nothing feeds it yet.
    let journal = try RunJournal(options, startingWith: SystemState())
    let system = try journal.make { (journal) throws(JournalError) in
      try Aggregator(continuing: journal)
    } beginning: {
      Aggregator(initial: SystemState())
    }
    if journal.isContinued { system.send(.resumed) }
    let insight = Insight(on: scheduler)
    let recorder = options.record(system, as: "system", by: insight, isNeeded: style == .picture)

    // Read: each selection speaks when its field changes, and only then.
    let changes: Observable<FieldChange, Never> = .merge(
      system.select(\.processor).map(FieldChange.processor),
      system.select(\.memory).map(FieldChange.memory),
      system.select(\.network).map(FieldChange.network),
      system.select(\.temperature).map(FieldChange.temperature)
    )

    // Show: the presenter subscribes to the changes, and counts events and snapshots.
    let names = SystemEvent.sourceNames
    let presenter = Presenter(
      Report(title: "This machine", length: options.time(Self.defaultDuration), events: names, fields: names),
      style: style,
      output: output,
      scheduler: scheduler
    ) { report, size in
      report.lines(size, help: Self.help)
    }
    presenter.follow(
      events: system.events.map(caseName),
      snapshots: system.states,
      changes: changes,
      sources: { system.health.sources }
    )

    // Feed: each sensor is a source, which comes back by itself when it has failed. The end is an event like any other,
    // so what happened before it has been folded when it comes. It is the first source: a user who sees a reading can
    // end the run.
    let sensors = Sensors(scheduler: scheduler, health: system.health)
    let quits = presenter.quits(by: keys) { $0 == .character("w") ? recorder?.writePage() : sensors.press($0) }
    system.replace(
      sources: options.ends(after: Self.defaultDuration, on: scheduler, or: interrupts).map { SystemEvent.end },
      quits.map { SystemEvent.end },
      sensors.source("processor", every: .milliseconds(500)) { ProcessorTimes.read().map(SystemEvent.processor) },
      sensors.source("memory", every: .seconds(1)) { Memory.read().map(SystemEvent.memory) },
      sensors.source("network", every: .seconds(1)) { [scheduler] in
        NetworkCounters.read().map { .network($0, at: scheduler.now) }
      },
      sensors.source("temperature", every: .seconds(2)) { Temperature.read().map(SystemEvent.temperature) }
    )

    // Wait: a selection is also a sequence.
    for await hasEnded in system.select(\.hasEnded).values where hasEnded { break }

    // Close: no source sends any more, and what is there to show is shown.
    system.finish()
    let report = await presenter.finish()
    let explanation = options.explain(recorder, by: SystemState.explainedFields)
    let failure = await journal.close()
    presenter.summarize(system.snapshot.changes, report, explanation)
    if let failure { throw failure }
  }

  private static let help =
    ["1 … 4   let a sensor fail, and see it come back", "w       write a page of this run, for a browser"]
    + Presenter.help
}
