import Aggregate
import Streams

/// Makes a recording of the records of a file.
struct RecordingDecoder<State: AggregateState> {
  private let file: String
  private var description: RecordingDescription?
  private var stateDecoder: ValueDecoder<State>
  private var eventDecoder: ValueDecoder<State.Event>
  /// The first of two states is that before the events.
  private var states: [State] = []
  private var entries: [Recording<State>.Entry] = []

  /// - Parameter file: the path, for errors.
  init(coding: RecordingCoding<State>, file: String) {
    self.file = file
    stateDecoder = ValueDecoder(coding.states)
    eventDecoder = ValueDecoder(coding.events)
  }

  /// Takes the next record.
  mutating func take(_ record: Record) throws {
    switch (record.kind.role, record.event, description) {
    case (.description, _, nil): description = try RecordingDescription(record)
    case (.event, let event?, let description?): try take(event, record, origin: description.origin)
    case (.state, _, _?): try takeState(record)
    default: throw Damage(at: record.offset, .malformed("the description of the recording is not the first record"))
    }
  }

  /// The recording, when all records were taken.
  ///
  /// - Parameter offset: the end of the file.
  func recording(endingAt offset: Int) throws(Damage) -> Recording<State> {
    guard let description, let state = states.last, states.count <= 2 else {
      throw Damage(at: offset, .malformed("a recording has one or two states, and this one has \(states.count)"))
    }
    return Recording(
      name: description.name,
      lane: description.lane,
      initial: states.count == 2 ? states[0] : nil,
      entries: entries,
      state: state,
      clockOrigin: description.isOriginKnown ? .microseconds(description.origin) : nil
    )
  }

  private mutating func takeState(_ record: Record) throws {
    let before = states.count
    try reading(record) { (decoder) throws(CodingError) in
      try decoder.stateDecoder.decode(record) { decoder.states.append($0) }
      let count = decoder.states.count - before
      guard count == 1 else { throw CodingError(record.kind.type, .stateCount(count)) }
    }
  }

  private mutating func take(_ event: Record.Event, _ record: Record, origin: Int64) throws {
    guard let number = Int(exactly: Int64(bitPattern: event.number)) else {
      throw Damage(at: record.offset, .malformed("an event number above what this processor can count"))
    }
    guard let cause = event.cause.cause else {
      throw Damage(at: record.offset, .malformed("the number of a cause has more than 40 bits"))
    }
    let time = Duration.microseconds(event.time &- origin)
    try reading(record) { (decoder) throws(CodingError) in
      try decoder.eventDecoder.decode(record) { value in
        decoder.entries.append(Recording.Entry(number: number, event: value, cause: cause, time: time))
      }
    }
  }

  /// Names the place of a value that cannot be read.
  private mutating func reading(
    _ record: Record,
    _ body: (inout RecordingDecoder) throws(CodingError) -> Void
  ) throws(JournalError) {
    do throws(CodingError) {
      try body(&self)
    } catch {
      let event = record.event.map { Int(truncatingIfNeeded: $0.number) }
      throw .unreadable(file: file, offset: record.offset, event: event, reason: error)
    }
  }
}

extension RecordingDescription {
  init(_ record: Record) throws(Damage) {
    guard record.kind == Self.kind else {
      throw Damage(
        at: record.offset,
        .malformed("a description \"\(record.kind.type.name)\", version \(record.kind.type.version)")
      )
    }
    do throws(ByteError) {
      var bytes = ByteReader(record.payload)
      try self.init(&bytes)
    } catch {
      throw Damage(at: record.offset, .malformed("\(error)"))
    }
  }
}
