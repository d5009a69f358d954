/// A file of a journal, of a log or with a recording, read without the types of its values: for tools.
package struct StoredFile: Sendable {
  /// What a file is for.
  package enum Content: String, Sendable {
    case segment, snapshot, recording

    init(_ content: FileHeader.Content) {
      self =
        switch content {
        case .segment: .segment
        case .snapshot: .snapshot
        case .recording: .recording
        }
    }
  }

  /// A value in a file, as its bytes.
  package struct Value: Sendable {
    /// Of an event, its number; `nil` for a state.
    package var number: Int?
    /// Of an event, when it was folded or appended, since 1970.
    package var time: Duration?
    package var type: TypeVersion
    package var payload: [UInt8]
  }

  /// What was read.
  package struct Summary: Sendable {
    /// How many events the file has.
    package fileprivate(set) var events = 0
    /// How many states the file has.
    package fileprivate(set) var states = 0
    /// The times of the first and of the last event, since 1970.
    package fileprivate(set) var times: ClosedRange<Duration>?
    /// Whether the batch is there that ends a file.
    package fileprivate(set) var isSealed = false
    /// The types of the values.
    package fileprivate(set) var types: [TypeVersion] = []
    /// Why the file could not be read to its end.
    package fileprivate(set) var failure: JournalError?
    /// The number of the event behind the last one.
    var nextEvent = 0
    /// The checksum with which the next segment goes on.
    var link: UInt32 = 0
  }

  package let path: String
  package let content: Content
  /// The number of bytes.
  package let size: Int
  /// The number of the first event; that of the last one before a snapshot.
  package let firstEvent: Int

  private let header: FileHeader
  private let system: any FileSystem

  /// Reads the header of a file.
  package init(_ path: String) throws(JournalError) {
    try self.init(path, on: POSIXFileSystem())
  }

  init(_ path: String, on system: any FileSystem) throws(JournalError) {
    do throws(FileFailure) {
      var input = try FileInput(path, on: system)
      size = input.remaining
      header = try FileHeader(from: &input)
    } catch {
      throw JournalError(error, file: path)
    }
    self.path = path
    self.system = system
    content = Content(header.content)
    firstEvent = Int(clamping: header.firstEvent)
  }

  /// Reads all values, and compares all checksums.
  ///
  /// - Parameter visit: takes each value whose batch is whole.
  /// - Complexity: O(size of the file), and the memory of its largest batch.
  package func read(_ visit: (Value) -> Void = { _ in }) -> Summary {
    var summary = Summary()
    do throws(FileFailure) {
      var input = try SegmentInput(path, as: header.content, on: system)
      while case .batch = try input.read({ (record) throws(FileFailure) in
        guard let value = Value(record) else { return }
        summary.add(value)
        visit(value)
      }) {
        summary.nextEvent = input.nextEvent
        summary.link = input.reader.link
      }
      summary.isSealed = input.reader.isSealed
    } catch {
      summary.failure = JournalError(error, file: path)
    }
    return summary
  }

  /// What is wrong between this segment and the one before; `nil` if one goes on with the other.
  ///
  /// - Parameters:
  ///   - previous: the segment before.
  ///   - summary: what was read of it.
  package func breakBehind(_ previous: StoredFile, _ summary: Summary) -> String? {
    if header.identity != previous.header.identity { return "it is a file of another journal" }
    if firstEvent != summary.nextEvent {
      return "it begins with event \(firstEvent), and the segment before ends before event \(summary.nextEvent)"
    }
    return header.link == summary.link ? nil : "it does not go on with the last batch of the segment before"
  }
}

extension StoredFile.Value {
  fileprivate init?(_ record: Record) {
    guard record.kind.role != .description else { return nil }
    type = record.kind.type
    number = record.event.map { Int(clamping: $0.number) }
    time = record.event.map { .microseconds($0.time) }
    payload = Array(record.payload)
  }
}

extension StoredFile.Summary {
  fileprivate mutating func add(_ value: StoredFile.Value) {
    if !types.contains(value.type) { types.append(value.type) }
    guard let time = value.time else {
      states += 1
      return
    }
    events += 1
    let first = times?.lowerBound ?? time
    times = min(first, time)...max(times?.upperBound ?? time, time)
  }
}
