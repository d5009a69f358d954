import Aggregate
import RASPInsight
import RASPJournal
import Streams

/// A receiver's sentences: heading, position, depth and wind, from several talkers at their own rates, merged with
/// the passing of time and folded into one consistent navigation state.
struct GeoScenario: ScenarioRun {
  let path: String
  let realTime: Bool
  let options: Options
  /// What a person reads.
  var units: Units = .nautical
  /// Where time comes from when it does not come from a recording.
  var scheduler: any Scheduler = .continuous
  /// The user's wish to end the run.
  var interrupts: Observable<Void, Never> = .interrupts
  /// What the user presses while the dashboard is shown.
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

    let style = OutputStyle(options, for: output)
    let replay = ReplayTime(base: scheduler)
    let recorder = try RunRecorder(
      of: navigation,
      as: "geo",
      by: pace == .recording ? Insight(on: replay) : Insight(on: scheduler),
      explaining: NavigationState.explainedFields,
      isNeeded: style == .dashboard && pace != .recording,
      options
    )

    // Read: each selection speaks when its field changes, and only then.
    let changes: Observable<FieldChange, Never> = .merge(
      navigation.select(\.heading).map(FieldChange.heading),
      navigation.select(\.location).map { [units] in FieldChange.location($0, in: units) },
      navigation.select(\.quality).map(FieldChange.fix),
      navigation.select(\.speed).map { [units] in FieldChange.speed($0, in: units) },
      navigation.select(\.course).map(FieldChange.course),
      navigation.select(\.depth).map(FieldChange.depth),
      navigation.select(\.wind).map { [units] in FieldChange.wind($0, in: units) }
    )

    let track = Aggregator(initial: Track())
    if style == .dashboard { track.add(navigation.select(\.location).observable.compactMap { $0 }) }
    let receiver = Receiver(scheduler: scheduler)
    let controls = DashboardControls(
      keys: path == "-" ? nil : keys,
      sources: { navigation.sources.map { SourceStatus($0) } },
      past: { [units] in recorder.state(at: $0)?.changes(in: units).texts },
      page: recorder.writePage,
      press: receiver.press,
      help: Receiver.help,
      more: { size, time in
        let columns = min(80, size.columns)
        let heading = time == nil ? navigation.snapshot.heading : time.flatMap { recorder.state(at: $0) }?.heading
        let compass = heading.map { CompassTape(heading: $0).lines(columns: columns) } ?? []
        // The track has no times.
        let way = time == nil ? track.snapshot.lines(columns: columns, rows: size.rows - compass.count - 1) : []
        return compass + (way.isEmpty ? [] : [""] + way)
      }
    )

    // Show: the presenter subscribes to the changes, and counts events and snapshots.
    let presenter = Presenter(
      Report(
        title: title,
        length: options.time(nil),
        sources: NavigationEvent.sourceNames,
        fields: FieldChange.navigationFields
      ),
      style: style,
      output: output,
      scheduler: scheduler,
      controls: controls
    )
    presenter.follow(
      events: navigation.events.map(\.name),
      snapshots: navigation.states,
      changes: changes,
      readings: style == .dashboard ? navigation.readings : .merge([])
    )

    // Feed: bytes become lines, lines become events. A source that is an asynchronous sequence is not read faster
    // than its events are folded. The end is an event like any other, and so is a source that fails.
    navigation.add(navigation.sourceFailures.map { NavigationEvent.failed(String(describing: $0.error)) })
    navigation.add(options.ends(after: nil, on: scheduler, or: interrupts).map { NavigationEvent.end })
    navigation.add(controls.ends.observable.map { NavigationEvent.end })
    if pace != .recording {
      navigation.add(elapsedTime.map(NavigationEvent.time), as: "clock", on: scheduler)
    }
    let lines = Lines(chunks: input)
    let events: Observable<NavigationEvent, Input.ReadError> = Observable(
      NavigationEvents(lines: lines, pace: pace, scheduler: scheduler)
    )
    navigation.add(
      receiver.source(events).map { event in
        replay.follow(event)
        return event
      },
      as: Receiver.name,
      on: scheduler
    )

    // Wait: a selection is also a sequence.
    for await hasEnded in navigation.select(\.hasEnded).values where hasEnded { break }

    // Close: no source sends any more, and what is there to show is shown.
    navigation.finish()
    let report = await presenter.finish()
    let recording = recorder.finish()
    let journalFailure = await journal.close()
    presenter.summarize(navigation.snapshot, report, recording, in: units)
    if let reason = navigation.snapshot.failure {
      throw RunFailure(
        .noInput,
        "cannot read \(path.quoted) to its end: \(reason); check the file, or the device and its cable"
      )
    }
    try recording.check()
    if let journalFailure { throw journalFailure }
  }

  /// How much time has passed on the wall, every second.
  private var elapsedTime: Observable<Duration, Never> {
    let start = scheduler.now
    return Observable.interval(.seconds(1), on: scheduler).map { [scheduler] _ in scheduler.now - start }
  }

  private var title: String {
    "\(path == "-" ? "Standard input" : path.quoted)"
  }
}
