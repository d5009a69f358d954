public import Aggregate

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
    var reader = SegmentReader()
    do {
      var input = try FileInput(path, on: system)
      var decoder = RecordingDecoder(coding: coding, file: path)
      var bytes: [UInt8] = []
      while !reader.isSealed {
        try input.read(reader.wanted, into: &bytes)
        try bytes.withUnsafeBytes { part in try reader.take(part) { record in try decoder.take(record) } }
        if let content = reader.header?.content, content != .recording {
          throw Damage(at: 10, .content(Int(content.rawValue)))
        }
      }
      guard input.remaining == 0 else { throw Damage(at: reader.offset, .goesOn) }
      self = try decoder.recording(endingAt: reader.offset)
    } catch let error as JournalError {
      throw error
    } catch let error as SystemError {
      throw .system(file: path, call: error.call, code: error.code)
    } catch let damage as Damage {
      let event = reader.header.map { _ in Int(truncatingIfNeeded: reader.nextEvent) }
      throw JournalError(damage, file: path, event: event)
    } catch {
      // All errors that the calls above can throw are named above.
      throw .damaged(file: path, offset: reader.offset, event: nil, reason: "\(error)")
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
