import Aggregate
import RASPHistory
import Streams

/// Makes a recording of the records of a file.
struct RecordingDecoder<State: AggregateState> {
  private var description: RecordingDescription?
  private var stateDecoder: ValueDecoder<State>
  private var eventDecoder: ValueDecoder<State.Event>
  /// The first of two states is that before the events.
  private var states: [State] = []
  private var entries: [Recording<State>.Entry] = []

  init(_ coding: RecordingCoding<State>) {
    stateDecoder = ValueDecoder(coding.states)
    eventDecoder = ValueDecoder(coding.events)
  }

  /// Takes the next record.
  mutating func take(_ record: Record) throws(FileFailure) {
    switch (record.kind.role, record.event, description) {
    case (.description, _, nil): description = try RecordingDescription(record)
    case (.event, let event?, let description?): try take(event, record, origin: description.origin)
    case (.state, _, _?): try takeState(record)
    default:
      throw FileFailure(at: record.offset, .malformed("the description of the recording is not the first record"))
    }
  }

  /// The recording, when all records were taken.
  ///
  /// - Parameters:
  ///   - offset: the end of the file.
  ///   - event: the number of the event that would come next.
  func recording(endingAt offset: Int, before event: Int) throws(FileFailure) -> Recording<State> {
    guard let description, let state = states.last, states.count <= 2 else {
      let reason = "a recording has one or two states, and this one has \(states.count)"
      throw FileFailure(at: offset, .malformed(reason), event: event)
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

  private mutating func takeState(_ record: Record) throws(FileFailure) {
    let before = states.count
    try stateDecoder.decode(record) { states.append($0) }
    let count = states.count - before
    guard count == 1 else { throw FileFailure(record, CodingError(record.kind.type, .stateCount(count: count))) }
  }

  private mutating func take(_ event: Record.Event, _ record: Record, origin: Int64) throws(FileFailure) {
    guard let number = Int(exactly: Int64(bitPattern: event.number)) else {
      throw FileFailure(at: record.offset, .malformed("an event number above what this processor can count"))
    }
    guard let cause = event.cause.cause else {
      throw FileFailure(at: record.offset, .malformed("the number of a cause has more than 40 bits"))
    }
    let time = Duration.microseconds(event.time &- origin)
    try eventDecoder.decode(record) { value in
      entries.append(Recording.Entry(number: number, event: value, cause: cause, time: time))
    }
  }
}

extension RecordingDescription {
  init(_ record: Record) throws(FileFailure) {
    guard record.kind == Self.kind else {
      throw FileFailure(
        at: record.offset,
        .malformed("a description \"\(record.kind.type.name)\", version \(record.kind.type.version)")
      )
    }
    do throws(ByteError) {
      var bytes = ByteReader(record.payload)
      try self.init(&bytes)
    } catch {
      throw FileFailure(at: record.offset, .malformed("\(error)"))
    }
  }
}
