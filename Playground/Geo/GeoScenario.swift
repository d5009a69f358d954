import Aggregate
import RASPInsight
import RASPJournal
import Streams

extension CommandOption {
  static let realtime = CommandOption(
    name: "--realtime",
    help: "Replay at the pace of the times of day in the sentences."
  )
}

extension Scenario {
  static let geo = Scenario(
    name: "geo",
    parameters: "FILE",
    options: [.realtime, .seconds, .json, .why, .journal],
    help: """
      NMEA 0183 sentences from a file, a serial device, or standard input (-), folded into one
      navigation state. A file is replayed as fast as it can be read; anything else is followed
      until it ends. Set up a serial device first, as in: stty -F /dev/ttyUSB0 4800 raw -echo
      A lesser instrument is heard only when the better one has been silent for 10 seconds; after
      as long without any, a value is stale.
      """
  ) { arguments throws(RunFailure) in
    guard let path = arguments.next(), !path.isEmpty else {
      throw .usage("geo needs a file, a serial device, or - for standard input")
    }
    return GeoScenario(
      path: path,
      realTime: arguments[.realtime] != nil,
      options: try Options(arguments, explaining: FieldChange.navigationFields)
    )
  }
}

/// A receiver's sentences: heading, position, depth and wind, from several talkers at their own rates, merged with
/// the passing of time and folded into one consistent navigation state.
struct GeoScenario: ScenarioRun {
  let path: String
  let realTime: Bool
  let options: Options
  /// Where time comes from when it does not come from a recording.
  var scheduler: any Scheduler = .continuous
  /// The user's wish to end the run.
  var interrupts: Observable<Void, Never> = .interrupts
  /// What the user presses while the picture is shown.
  var keys: Observable<TerminalKey, Never> = .keys

  func run(output: Output) async throws(RunFailure) {
    let input = try Input(path: path)
    let pace: Pace = realTime ? .recordingInRealTime : input.isRecording ? .recording : .live

    // The state, and the only place where it changes. Nothing feeds it yet.
    let journal = try RunJournal(options, startingWith: NavigationState())
    let navigation = try journal.make { (journal) throws(JournalError) in
      try Aggregator(continuing: journal)
    } beginning: {
      Aggregator(initial: NavigationState())
    }
    if journal.isContinued { navigation.send(.resumed) }
    let recorder = options.record(navigation, as: "geo", by: Insight(on: scheduler))

    // Read: each selection speaks when its field changes, and only then.
    let changes: Observable<FieldChange, Never> = .merge(
      navigation.select(\.heading).map(FieldChange.heading),
      navigation.select(\.location).map(FieldChange.location),
      navigation.select(\.speed).map(FieldChange.speed),
      navigation.select(\.course).map(FieldChange.course),
      navigation.select(\.depth).map(FieldChange.depth),
      navigation.select(\.wind).map(FieldChange.wind)
    )

    // Show: the presenter subscribes to the changes, and counts events and snapshots. Standard input has no keys.
    let hasKeys = path != "-"
    let presenter = Presenter(
      Report(
        title: hasKeys ? path.quoted : "Standard input",
        length: options.time(nil),
        events: NavigationEvent.names,
        fields: FieldChange.navigationFields
      ),
      style: OutputStyle(options, for: output),
      output: output,
      scheduler: scheduler
    ) { report, size in
      report.lines(size, help: hasKeys ? Presenter.help : [])
    }
    presenter.follow(
      events: navigation.events.map(caseName),
      snapshots: navigation.states,
      changes: changes,
      sources: { navigation.health.sources }
    )

    // Feed: bytes become lines, lines become events. A source that is an asynchronous sequence is not read faster
    // than its events are folded. The end is an event like any other, and so is a source that fails.
    navigation.add(navigation.sourceFailures.map { NavigationEvent.failed(String(describing: $0.error)) })
    navigation.add(options.ends(after: nil, on: scheduler, or: interrupts).map { NavigationEvent.end })
    if hasKeys { navigation.add(presenter.quits(by: keys).map { NavigationEvent.end }) }
    if pace != .recording {
      navigation.add(elapsedTime.map(NavigationEvent.time), as: "clock", on: scheduler)
    }
    let events: Observable<NavigationEvent, Input.ReadError> = Observable(
      NavigationEvents(chunks: input, pace: pace, scheduler: scheduler)
    )
    navigation.add(events, as: "receiver", on: scheduler)

    // Wait: a selection is also a sequence.
    for await hasEnded in navigation.select(\.hasEnded).values where hasEnded { break }

    // Close: no source sends any more, and what is there to show is shown.
    navigation.finish()
    let report = await presenter.finish()
    let explanation = options.explain(recorder, by: NavigationState.explainedFields)
    let failure = await journal.close()
    presenter.summarize(navigation.snapshot.changes, report, explanation)
    if let reason = navigation.snapshot.failure {
      throw RunFailure(
        .noInput,
        "cannot read \(path.quoted) to its end: \(reason); check the file, or the device and its cable"
      )
    }
    if let failure { throw failure }
  }

  /// How much time has passed on the wall, every second.
  private var elapsedTime: Observable<Duration, Never> {
    let start = scheduler.now
    return Observable.interval(.seconds(1), on: scheduler).map { [scheduler] _ in scheduler.now - start }
  }
}
