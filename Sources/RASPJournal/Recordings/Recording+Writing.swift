public import Aggregate
public import RASPHistory

extension Recording {
  /// Writes the recording into a file, in format 1.
  ///
  /// ```swift
  /// try recording.write(to: "north.rasp", coding: RecordingCoding(events: geoEvents))
  /// ```
  ///
  /// The file is written beside `path` under another name, brought to the medium and renamed. So `path` has all of the
  /// new file or what was there before, also after a crash. Causes, numbers, the lane and the name are kept, and times
  /// and the wall time of the clock to the microsecond.
  ///
  /// - Parameters:
  ///   - path: an existing file is replaced; its folder must exist.
  ///   - coding: how states and events are written.
  ///   - redaction: what is taken out before.
  /// - Concurrency: it blocks the thread until the file is on the medium.
  /// - Errors: a call of the system that fails, and a value that cannot be written. Then `path` is as it was; only if
  ///   the last call fails, that for the folder, it has the new file.
  /// - Complexity: O(size); the memory that it takes beside the recording is that of a batch, a megabyte, or of the
  ///   largest value. With a redaction the recording is copied.
  public func write(
    to path: String,
    coding: RecordingCoding<State>,
    redacting redaction: Redaction<State>? = nil
  ) throws(JournalError) {
    try write(to: path, coding: coding, redacting: redaction, on: POSIXFileSystem())
  }

  func write(
    to path: String,
    coding: RecordingCoding<State>,
    redacting redaction: Redaction<State>? = nil,
    stamp: FileStamp = .now,
    batchLimit: Int = 1 << 20,
    on system: any FileSystem
  ) throws(JournalError) {
    let recording = redaction.map { redacted(by: $0) } ?? self
    let header = FileHeader(
      content: .recording,
      salt: stamp.salt,
      firstEvent: UInt64(bitPattern: Int64(entries.first?.number ?? 1)),
      wallTime: stamp.wallTime,
      identity: stamp.identity
    )
    // If it is not known when the clock began, the newest event is taken to be of this moment.
    let now = Int64(clamping: stamp.wallTime / 1_000)
    let origin = clockOrigin?.wholeMicroseconds ?? now &- (entries.last?.time.wholeMicroseconds ?? 0)
    try system.replace(path) { (write) throws(JournalError) in
      var encoder = RecordingEncoder(header, coding: coding, file: path, limit: batchLimit)
      try encoder.encode(recording, origin: origin, write: write)
    }
  }
}

extension Recording where State: Codable, State.Event: Codable {
  /// Writes the recording into a file as JSON, in format 1; see ``write(to:coding:redacting:)``.
  ///
  /// ```swift
  /// try recording.write(to: "north.rasp")
  /// ```
  ///
  /// - Concurrency: it blocks the thread until the file is on the medium.
  /// - Errors: a call of the system that fails, and a value that cannot be written.
  /// - Complexity: O(size).
  public func write(to path: String, redacting redaction: Redaction<State>? = nil) throws(JournalError) {
    try write(to: path, coding: .codable, redacting: redaction)
  }
}
