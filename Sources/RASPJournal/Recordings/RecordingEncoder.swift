import Aggregate
import RASPHistory
import Streams

/// Makes the bytes of a recording, batch by batch.
struct RecordingEncoder<State: AggregateState>: ~Copyable {
  private let file: String
  private var segment: SegmentWriter
  private var states: ValueEncoder<State>
  private var events: ValueEncoder<State.Event>
  private var stateKinds: KindNumbers
  private var eventKinds: KindNumbers

  /// - Parameter file: the path, for errors.
  init(_ header: FileHeader, coding: RecordingCoding<State>, file: String, limit: Int) {
    self.file = file
    states = ValueEncoder(coding.states)
    events = ValueEncoder(coding.events)
    segment = SegmentWriter(header, limit: limit)
    stateKinds = KindNumbers(.state, of: coding.states.kinds)
    eventKinds = KindNumbers(.event, of: coding.events.kinds)
  }

  /// Writes all of a recording.
  ///
  /// - Parameters:
  ///   - origin: the wall time from which the times of the entries are counted, µs since 1970.
  ///   - write: takes the bytes that are finished.
  mutating func encode(
    _ recording: Recording<State>,
    origin: Int64,
    write: ([UInt8]) throws(JournalError) -> Void
  ) throws(JournalError) {
    let description = RecordingDescription(
      name: recording.name,
      lane: recording.lane,
      origin: origin,
      isOriginKnown: recording.clockOrigin != nil
    )
    var payload = ByteWriter()
    description.append(to: &payload)
    let kind = segment.define(RecordingDescription.kind)
    segment.append(kind: kind, payload: payload)
    if let initial = recording.initial { try append(initial) }
    for entry in recording.entries {
      try append(entry, origin: origin)
      if segment.finishedCount > 0 { try write(segment.takeFinished()) }
    }
    try append(recording.state)
    segment.seal()
    try write(segment.takeFinished())
  }

  private mutating func append(_ state: State) throws(JournalError) {
    do throws(CodingError) {
      let index = try states.encode(state)
      segment.append(kind: stateKinds.number(at: index, in: &segment), payload: states.payload)
    } catch {
      throw .unwritable(file: file, event: nil, reason: error)
    }
  }

  private mutating func append(_ entry: Recording<State>.Entry, origin: Int64) throws(JournalError) {
    let event = Record.Event(
      number: UInt64(bitPattern: Int64(entry.number)),
      time: origin &+ entry.time.wholeMicroseconds,
      cause: CauseNumbers(entry.cause)
    )
    do throws(CodingError) {
      let index = try events.encode(entry.event)
      segment.append(event, kind: eventKinds.number(at: index, in: &segment), payload: events.payload)
    } catch {
      throw .unwritable(file: file, event: entry.number, reason: error)
    }
  }
}

extension CauseNumbers {
  init(_ cause: Cause) {
    self.init(lane: UInt64(cause.lane), number: cause.wideNumber)
  }

  /// The cause; `nil` if its number has more than 40 bits.
  var cause: Cause? { Cause(lane: lane, wideNumber: number) }
}
