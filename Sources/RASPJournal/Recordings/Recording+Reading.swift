public import Aggregate
public import RASPHistory

extension Recording {
  /// Reads a recording that was written with `write`.
  ///
  /// ```swift
  /// let incident = try Recording<GeoState>(contentsOf: "north.rasp", coding: RecordingCoding(events: geoEvents))
  /// ```
  ///
  /// The entries have the numbers that they have in the file. If the coding converts an older version, an event of the
  /// file may have become several entries with one number, or none; then the numbers do not rise by one.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - coding: how states and events are read.
  /// - Concurrency: it blocks the thread until the file has been read.
  /// - Errors: a file that is not complete or not as it was written, with the place; a value that the coding does not
  ///   read; a call of the system that fails. Nothing is used of a file that is refused.
  /// - Complexity: O(size), in time and memory, whatever the file says about lengths and counts.
  public init(contentsOf path: String, coding: RecordingCoding<State>) throws(JournalError) {
    try self.init(contentsOf: path, coding: coding, on: POSIXFileSystem())
  }

  init(
    contentsOf path: String,
    coding: RecordingCoding<State>,
    on system: any FileSystem
  ) throws(JournalError) {
    do throws(FileFailure) {
      var input = try SegmentInput(path, as: .recording, on: system)
      var decoder = RecordingDecoder(coding)
      try input.readAll { (record) throws(FileFailure) in try decoder.take(record) }
      self = try decoder.recording(endingAt: input.reader.offset, before: input.nextEvent)
    } catch {
      throw JournalError(error, file: path)
    }
  }
}

extension Recording where State: Codable, State.Event: Codable {
  /// Reads a recording that was written as JSON; see ``init(contentsOf:coding:)``.
  ///
  /// ```swift
  /// let incident = try Recording<GeoState>(contentsOf: "north.rasp")
  /// ```
  ///
  /// - Concurrency: it blocks the thread until the file has been read.
  /// - Errors: see ``init(contentsOf:coding:)``.
  /// - Complexity: O(size).
  public init(contentsOf path: String) throws(JournalError) {
    try self.init(contentsOf: path, coding: .codable)
  }
}
