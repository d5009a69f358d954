import Aggregate
import Foundation
import RASPInsight
import RASPJournal
import RASPKeyed

/// Records the newest events of a run, if a file or an explanation was asked for.
struct RunRecorder<State: AggregateState & Codable>: Sendable where State.Event: Codable {
  private let options: Options
  private let fields: [ExplainedField<State>]
  private let recorder: FlightRecorder<State>?

  /// Begins to record.
  ///
  /// - Parameter isNeeded: whether to record also if neither a file nor an explanation was asked for.
  /// - Errors: a file that cannot be written is refused now, and not when the run is over.
  init(
    of aggregator: Aggregator<State>,
    as name: String,
    by insight: Insight,
    explaining fields: [ExplainedField<State>],
    isNeeded: Bool = false,
    _ options: Options
  ) throws(RunFailure) {
    if let path = options.recordingPath { try Self.check(path) }
    self.options = options
    self.fields = fields
    recorder = isNeeded || options.isRecorded ? insight.record(aggregator, as: name, last: recordedEventCount) : nil
  }

  /// Begins to record rows.
  ///
  /// - Errors: as for a single state.
  init<Key, Row>(
    of rows: KeyedAggregator<Key, Row>,
    as name: String,
    by insight: Insight,
    explaining fields: [ExplainedField<State>],
    _ options: Options
  ) throws(RunFailure) where State == RecordedRows<Key, Row> {
    if let path = options.recordingPath { try Self.check(path) }
    self.options = options
    self.fields = fields
    recorder = options.isRecorded ? insight.record(rows, as: name, last: recordedEventCount) : nil
  }

  /// Explains and writes what was recorded.
  func finish() -> RecordingOutcome {
    var outcome = RecordingOutcome()
    guard let recorder else { return outcome }
    if let name = options.explainedField, let field = fields.first(where: { $0.name == name }) {
      outcome.explanation = field.why(recorder.recording.name, by: recorder)
    }
    if let path = options.recordingPath {
      let recording = recorder.recording
      outcome.events = recording.entries.count
      do throws(JournalError) {
        try recording.write(to: path)
      } catch {
        outcome.failure = RunFailure(.ioError, "cannot write the recording: \(error)")
      }
    }
    return outcome
  }

  /// The state at an earlier time; `nil` if nothing is recorded, or only what came later.
  func state(at time: Duration) -> State? {
    guard let recording = recorder?.recording, time >= recording.start else { return nil }
    let last = recording.entries.last { $0.time <= time }
    return last.flatMap { recording.state(after: $0.number) } ?? recording.initial
  }

  /// Writes a page of what was recorded so far into the current folder.
  ///
  /// - Returns: what is to be told about it.
  @Sendable
  func writePage() -> String {
    guard let recording = recorder?.recording else { return "nothing is recorded" }
    let path = FileNames.free(recording.name, ".html")
    do {
      try recording.timeline.page.write(toFile: path, atomically: true, encoding: .utf8)
      return "a page of \(recording.entries.count) events is in \(path)"
    } catch {
      return "cannot write \(path): \(error.localizedDescription)"
    }
  }

  private static func check(_ path: String) throws(RunFailure) {
    var isFolder: ObjCBool = false
    let manager = FileManager.default
    let folder = URL(filePath: path).deletingLastPathComponent().path
    if manager.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue {
      throw RunFailure(.ioError, "cannot record into \(path.quoted): it is a folder; name a file in it")
    }
    guard manager.isWritableFile(atPath: folder) else {
      throw RunFailure(.ioError, "cannot record into \(path.quoted): its folder cannot be written to")
    }
  }
}

/// How many events are kept: a page with as many is still usable.
private let recordedEventCount = 100_000
