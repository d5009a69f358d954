import Aggregate

/// Makes the bytes of a recording, batch by batch.
struct RecordingEncoder<State: AggregateState>: ~Copyable {
  private let coding: RecordingCoding<State>
  private let file: String
  private var segment: SegmentWriter
  private var payload = ByteWriter()
  private var stateKinds: KindNumbers
  private var eventKinds: KindNumbers

  /// - Parameter file: the path, for errors.
  init(_ header: FileHeader, coding: RecordingCoding<State>, file: String, limit: Int) {
    self.coding = coding
    self.file = file
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
    description.append(to: &payload)
    let kind = segment.define(RecordingDescription.kind)
    segment.append(kind: kind, payload: payload.bytes)
    payload.removeAll()
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
    let index = try encode(state, with: coding.states, event: nil)
    segment.append(kind: stateKinds.number(at: index, in: &segment), payload: payload.bytes)
    payload.removeAll()
  }

  private mutating func append(_ entry: Recording<State>.Entry, origin: Int64) throws(JournalError) {
    let index = try encode(entry.event, with: coding.events, event: entry.number)
    let number = UInt64(bitPattern: Int64(entry.number))
    let cause = CauseNumbers(lane: UInt16(entry.cause.lane), number: entry.cause.rawValue & (1 << 48 - 1))
    let event = Record.Event(number: number, time: origin &+ entry.time.wholeMicroseconds, cause: cause)
    segment.append(event, kind: eventKinds.number(at: index, in: &segment), payload: payload.bytes)
    payload.removeAll()
  }

  /// Puts a value into the payload.
  ///
  /// - Returns: the place of its kind in the coding.
  private mutating func encode<Value: Sendable>(
    _ value: Value,
    with coding: Coding<Value>,
    event: Int?
  ) throws(JournalError) -> Int {
    do {
      let index = try coding.encode(value, &payload)
      // A definition may stand in the same batch, so a little less than what its header can say.
      if payload.count < Int(Int32.max) { return index }
      throw JournalError.unwritable(file: file, event: event, reason: CodingError(coding.kinds[index], .tooLarge))
    } catch let error as JournalError {
      throw error
    } catch {
      let reason = CodingError(writing: value, kind: coding.kinds.count == 1 ? coding.kinds[0] : nil, error)
      throw .unwritable(file: file, event: event, reason: reason)
    }
  }
}

/// The numbers that the kinds of a coding have in a file. A kind is defined when it is used first.
private struct KindNumbers {
  private let kinds: [RecordKind]
  /// 0 if it is not defined.
  private var numbers: [UInt64]

  init(_ role: RecordKind.Role, of types: [TypeVersion]) {
    kinds = types.map { RecordKind(role: role, type: $0) }
    numbers = types.map { _ in 0 }
  }

  /// The number of the kind that has a place in the coding.
  mutating func number(at index: Int, in segment: inout SegmentWriter) -> UInt64 {
    if numbers[index] == 0 { numbers[index] = segment.define(kinds[index]) }
    return numbers[index]
  }
}
