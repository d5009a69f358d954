import Aggregate
import RASPInsight
import Streams

/// This machine's own sensors: five sources, one state, five selections.
struct SystemScenario: ScenarioRun {
  static let defaultDuration: Duration = .seconds(30)

  let options: Options
  /// Where time comes from.
  var scheduler: any Scheduler = .continuous
  /// The user's wish to end the run.
  var interrupts: Observable<Void, Never> = .interrupts

  func run(output: Output) async throws(RunFailure) {
    // The state, and the only place where it changes. Nothing feeds it yet.
    let system = Aggregator(initial: SystemState())

    let recorder = try RunRecorder(
      of: system,
      as: "system",
      by: Insight(on: scheduler),
      explaining: SystemState.explainedFields,
      options
    )

    // Read: each selection speaks when its field changes, and only then.
    let changes = Observable.merge(
      system.select(\.processor).map(FieldChange.processor),
      system.select(\.memory).map(FieldChange.memory),
      system.select(\.load).map(FieldChange.load),
      system.select(\.network).map(FieldChange.network),
      system.select(\.temperatures).map(FieldChange.temperature)
    )

    // Show: the presenter subscribes to the changes, and counts events and snapshots.
    let presenter = Presenter(
      Report(title: title, sources: SystemEvent.sourceNames, fields: SystemEvent.sourceNames),
      style: OutputStyle(options, for: output),
      output: output
    )
    presenter.follow(events: system.events.map(\.name), snapshots: system.states, changes: changes)

    // Feed: each sensor is read by a timer of its own, at its own period. What this machine lacks is not sent. The
    // end is an event like any other, so what happened before it has been folded when it comes.
    system.replace(
      sources: every(.milliseconds(500)).compactMap { ProcessorTimes.read().map(SystemEvent.processor) },
      every(.seconds(1)).compactMap { Memory.read().map(SystemEvent.memory) },
      every(.seconds(5)).compactMap { LoadAverage.read().map(SystemEvent.load) },
      every(.seconds(1)).compactMap { NetworkCounters.read().map { .network($0, at: scheduler.now) } },
      every(.seconds(2)).compactMap {
        let temperatures = Temperature.readAll()
        return temperatures.isEmpty ? nil : .temperature(temperatures)
      },
      options.ends(after: Self.defaultDuration, on: scheduler, or: interrupts).map { SystemEvent.end }
    )

    // Wait: a selection is also a sequence.
    for await hasEnded in system.select(\.hasEnded).values where hasEnded { break }

    // Close: no source sends any more, and what is there to show is shown.
    system.finish()
    let report = await presenter.finish()
    let recording = recorder.finish()
    presenter.summarize(system.snapshot, report, recording)
    try recording.check()
  }

  private var title: String {
    "This machine, \(options.time(Self.defaultDuration).map { "for \($0)" } ?? "until you end it") (^C ends it now)"
  }

  /// Ticks at once, and then once per period.
  private func every(_ period: Duration) -> Observable<Void, Never> {
    .merge(
      .timer(after: .zero, on: scheduler),
      Observable<Int, Never>.interval(period, on: scheduler).map { _ in }
    )
  }
}
