import Aggregate
import RASPInsight
import RASPJournal
import Streams

/// This machine's own sensors: six sources, one state, six selections.
struct SystemScenario: ScenarioRun {
  static let defaultDuration: Duration = .seconds(30)

  let options: Options
  /// Where time comes from.
  var scheduler: any Scheduler = .continuous
  /// The user's wish to end the run.
  var interrupts: Observable<Void, Never> = .interrupts
  /// What the user presses while the dashboard is shown.
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

    let recorder = try RunRecorder(
      of: system,
      as: "system",
      by: Insight(on: scheduler),
      explaining: SystemState.explainedFields,
      isNeeded: style == .dashboard,
      options
    )

    // Read: each selection speaks when its field changes, and only then.
    let changes: Observable<FieldChange, Never> = .merge(
      system.select(\.processor).map(FieldChange.processor),
      system.select(\.memory).map(FieldChange.memory),
      system.select(\.load).map(FieldChange.load),
      system.select(\.network).map(FieldChange.network),
      system.select(\.temperatures).map(FieldChange.temperature),
      system.select(\.processes).map(FieldChange.processes)
    )

    // Show: the presenter subscribes to the changes, and counts events and snapshots. It hands the keys of the sensors
    // on.
    let sensors = Sensors(scheduler: scheduler)
    let meter = ProcessMeter()
    let controls = DashboardControls(
      keys: keys,
      sources: { system.sources.map { SourceStatus($0) } },
      past: { recorder.state(at: $0)?.changes.texts },
      page: recorder.writePage,
      press: sensors.press,
      help: Sensors.help
    )
    let presenter = Presenter(
      Report(
        title: "This machine",
        length: options.time(Self.defaultDuration),
        sources: SystemEvent.sourceNames,
        fields: SystemEvent.sourceNames
      ),
      style: style,
      output: output,
      scheduler: scheduler,
      controls: controls
    )
    presenter.follow(
      events: system.events.map(\.name),
      snapshots: system.states,
      changes: changes,
      readings: system.events.map(\.name)
    )

    // Feed: each sensor is a source, which comes back by itself when it has failed. The end is an event like any other,
    // so what happened before it has been folded when it comes. It is the first source: a user who sees a reading can
    // end the run.
    system.replace(
      sources: options.ends(after: Self.defaultDuration, on: scheduler, or: interrupts).map { SystemEvent.end },
      controls.ends.observable.map { SystemEvent.end },
      sensors.source("processor", every: .milliseconds(500)) {
        ProcessorReading.read().map(SystemEvent.processor)
      },
      sensors.source("memory", every: .seconds(1)) { Memory.read().map(SystemEvent.memory) },
      sensors.source("load", every: .seconds(5)) { LoadAverage.read().map(SystemEvent.load) },
      sensors.source("network", every: .seconds(1)) { [scheduler] in
        NetworkCounters.read().map { .network($0, at: scheduler.now) }
      },
      sensors.source("temperature", every: .seconds(2)) {
        let temperatures = Temperature.readAll()
        return temperatures.isEmpty ? nil : .temperature(temperatures)
      },
      sensors.source("processes", every: .seconds(2)) { [scheduler] in
        meter.busiest(of: ProcessTimes.readAll(), at: scheduler.now).map(SystemEvent.processes)
      }
    )

    // Wait: a selection is also a sequence.
    for await hasEnded in system.select(\.hasEnded).values where hasEnded { break }

    // Close: no source sends any more, and what is there to show is shown.
    system.finish()
    let report = await presenter.finish()
    let recording = recorder.finish()
    let journalFailure = await journal.close()
    presenter.summarize(system.snapshot, report, recording)
    try recording.check()
    if let journalFailure { throw journalFailure }
  }
}
