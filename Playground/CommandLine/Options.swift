import Streams

/// The options of several scenarios.
extension CommandOption {
  static let seconds = CommandOption(
    name: "--seconds",
    value: ("N", "30"),
    help: "End after N seconds; 0 stands for no end."
  )

  static let json = CommandOption(name: "--json", help: "Write one JSON object a line.")

  static let journal = CommandOption(
    name: "--journal",
    value: ("DIR", "journal"),
    help: "Keep all events in a folder, and go on from what is in it, also after a kill."
  )

  static let why = CommandOption(
    name: "--why",
    value: ("FIELD", "heading"),
    help: "Explain the last value of a field: the event that has set it, and its causes."
  )
}

/// What most scenarios can be asked for.
struct Options: Equatable, Sendable {
  /// For how long to run: zero for no end, `nil` for as long as the scenario takes by itself.
  var duration: Duration?
  /// Whether to write JSON, one object a line.
  var json = false
  /// The folder of the journal that the run goes on with.
  var journalPath: String?
  /// The field whose last value is to be explained.
  var explainedField: String?

  /// The longest that `--seconds` takes: a year.
  private static let longestRun = 366.0 * 86_400

  /// When the run ends: after the time that was asked for, or when the user wishes.
  ///
  /// - Parameter standard: the time if none was asked for; `nil` for no end.
  func ends(
    after standard: Duration?,
    on scheduler: some Scheduler,
    or interrupts: Observable<Void, Never>
  ) -> Observable<Void, Never> {
    guard let duration = time(standard) else { return interrupts }
    return .merge(Observable.timer(after: duration, on: scheduler), interrupts)
  }

  /// How long the run takes; `nil` for no end.
  func time(_ standard: Duration?) -> Duration? { duration == .zero ? nil : duration ?? standard }
}

extension Options {
  /// - Parameter fields: the names of the fields that can be explained; `nil` if the scenario checks the name.
  init(_ arguments: Arguments, explaining fields: [String]?) throws(RunFailure) {
    json = arguments[.json] != nil
    journalPath = arguments[.journal]
    if journalPath == "" { throw .usage("--journal needs a folder, as in --journal journal") }
    explainedField = arguments[.why]
    if let name = explainedField, let fields, !fields.contains(name) {
      throw .usage("--why: there is no field \(name.quoted), there are \(fields.listed)")
    }
    guard let text = arguments[.seconds] else { return }
    guard let seconds = Double(text), seconds >= 0, seconds <= Self.longestRun else {
      throw .usage("--seconds takes a number from 0, for no end, to a year, not \(text.quoted)")
    }
    duration = .seconds(seconds)
  }
}
