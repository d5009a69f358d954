import Streams

/// What most scenarios can be asked for.
struct Options: Equatable, Sendable {
  /// For how long to run: zero for no end, `nil` for as long as the scenario takes by itself.
  var duration: Duration?
  /// Whether to write JSON, one object a line.
  var json = false
  /// Where to write the recording of the run.
  var recordingPath: String?
  /// The folder of the journal that the run goes on with.
  var journalPath: String?
  /// The field whose last value is to be explained.
  var explainedField: String?

  /// Whether anything is to be recorded.
  var isRecorded: Bool { recordingPath != nil || explainedField != nil }

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
    return .merge(.timer(after: duration, on: scheduler), interrupts)
  }

  /// How long the run takes; `nil` for no end.
  func time(_ standard: Duration?) -> Duration? {
    duration == .zero ? nil : duration ?? standard
  }
}

extension Options {
  /// - Parameter fields: the names of the fields that can be explained.
  init(_ arguments: Arguments, explaining fields: [String] = []) throws(RunFailure) {
    try self.init(arguments) { name throws(RunFailure) in
      guard fields.contains(name) else {
        throw .usage("--why: there is no field \(name.quoted), there are \(fields.listed)")
      }
    }
  }

  /// - Parameter check: refuses the name of a field that cannot be explained.
  init(_ arguments: Arguments, checkingField check: (String) throws(RunFailure) -> Void) throws(RunFailure) {
    json = arguments[.json] != nil
    recordingPath = arguments[.record]
    journalPath = arguments[.journal]
    if journalPath == "" { throw .usage("--journal needs a folder, as in --journal journal") }
    explainedField = arguments[.why]
    if let name = explainedField { try check(name) }
    if let seconds = arguments[.seconds] { duration = try Self.duration(seconds) }
  }

  private static func duration(_ text: String) throws(RunFailure) -> Duration {
    guard let seconds = Double(text), seconds >= 0, seconds <= longestRun else {
      throw .usage("--seconds takes a number from 0, for no end, to a year, not \(text.quoted)")
    }
    return .seconds(seconds)
  }
}
