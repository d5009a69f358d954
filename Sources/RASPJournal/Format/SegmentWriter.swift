/// Makes the bytes of one file: the header, then batches. It knows no types of values, no files and no clock.
///
/// A record is `varint length · varint kind · …`, and the length counts what follows it:
///
/// ```
/// definition  kind 0 · varint number of the kind · byte role · varint version · text name
/// event       kind · zigzag Δ µs · varint lane of the cause · zigzag (number - cause), if the lane is not 0 · payload
/// other       kind · payload
/// ```
struct SegmentWriter: ~Copyable {
  /// The most bytes that a record has beside its payload.
  private static let overhead = 48

  private let salt: UInt32
  private let limit: Int
  /// What is finished; then the batch that is not: room for its header, and its body.
  private var bytes: ByteWriter
  /// Where the batch begins that is not finished, which is the number of bytes that are.
  private(set) var finishedCount: Int
  /// What a record has before its payload, but its length.
  private var head = ByteWriter()
  private var kinds = 0
  /// The checksum of the last batch with a body.
  private(set) var link: UInt32
  /// The newest event that is on the medium; `nil` if the file is of use only when it is complete.
  var newestDurable: UInt64?
  private var firstEvent: UInt64
  private var count: UInt32 = 0
  private var wallTime: UInt64
  /// The time of the last event of the batch, µs since 1970.
  private var time: Int64 = 0

  /// - Parameter limit: how long a body may be; a longer one holds a single record with its definition.
  init(_ header: FileHeader, limit: Int = 1 << 20) {
    self.limit = limit
    salt = header.salt
    firstEvent = header.firstEvent
    wallTime = header.wallTime
    let encoded = header.encoded()
    link = encoded.withUnsafeBytes { FileHeader.checksum(of: $0) }
    finishedCount = encoded.count
    bytes = ByteWriter(capacity: 1 << 12)
    bytes.append(contentsOf: encoded)
    beginBatch()
  }

  /// Goes on behind the last whole batch of a file that was read up to there. The first bytes are those behind it.
  init(behind reader: SegmentReader, limit: Int = 1 << 20) {
    self.limit = limit
    salt = reader.header?.salt ?? 0
    firstEvent = reader.nextEvent
    wallTime = reader.wallTime
    link = reader.link
    kinds = reader.kinds.count
    bytes = ByteWriter(capacity: 1 << 12)
    finishedCount = 0
    beginBatch()
  }

  /// Gives away what is finished: the header, and all batches that have ended.
  mutating func takeFinished<Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Void
  ) throws(Failure) {
    assert(finishedCount <= bytes.count, "more is finished than there is")
    try body(bytes.buffer.part(0..<finishedCount))
    bytes.removeFirst(finishedCount)
    finishedCount = 0
  }

  /// Takes what is finished.
  mutating func takeFinished() -> [UInt8] {
    var taken: [UInt8] = []
    takeFinished { taken = [UInt8]($0) }
    return taken
  }

  /// Defines a kind.
  ///
  /// - Returns: its number in this file.
  mutating func define(_ kind: RecordKind) -> UInt64 {
    kinds += 1
    head.appendVarint(0)
    head.appendVarint(UInt64(kinds))
    head.append(kind.role.rawValue)
    head.appendVarint(UInt64(bitPattern: Int64(kind.type.version)))
    head.append(kind.type.name)
    appendRecord(ByteWriter(capacity: 1))
    return UInt64(kinds)
  }

  /// Appends a state or a description.
  mutating func append(kind: UInt64, payload: borrowing ByteWriter) {
    makeRoom(for: payload)
    head.appendVarint(kind)
    appendRecord(payload)
  }

  /// Appends an event. The numbers of a batch rise by one, so another number begins another batch.
  mutating func append(_ event: Record.Event, kind: UInt64, payload: borrowing ByteWriter) {
    makeRoom(for: payload)
    if count > 0, event.number != firstEvent &+ UInt64(count) { endBatch() }
    assert(kind > 0 && kind <= UInt64(kinds), "an event of a kind that is not defined")
    if count == 0 {
      firstEvent = event.number
      wallTime = max(wallTime, min(UInt64(clamping: event.time), .max / 1_000) * 1_000)
      time = Int64(clamping: wallTime / 1_000)
    }
    head.appendVarint(kind)
    head.appendZigzag(event.time &- time)
    head.appendVarint(event.cause.lane)
    if event.cause.lane != 0 { head.appendZigzag(Int64(bitPattern: event.number &- event.cause.number)) }
    time = event.time
    count += 1
    appendRecord(payload)
  }

  /// Ends the batch, if it has records.
  mutating func endBatch() {
    if bodyCount > 0 { finishBatch() }
  }

  /// Ends the file with a batch that has no body.
  mutating func seal() {
    endBatch()
    finishBatch()
  }

  /// The batch that ends a file that was read up to its last batch.
  static func lastBatch(behind reader: SegmentReader) -> [UInt8] {
    let header = BatchHeader(
      salt: reader.header?.salt ?? 0,
      length: 0,
      count: 0,
      firstEvent: reader.nextEvent,
      wallTime: reader.wallTime,
      link: reader.link
    )
    var bytes = [UInt8](repeating: 0, count: BatchHeader.size)
    _ = bytes.withUnsafeMutableBytes { header.write(into: $0) }
    return bytes
  }

  private mutating func makeRoom(for payload: borrowing ByteWriter) {
    if bodyCount + Self.overhead + payload.count > limit { endBatch() }
  }

  private mutating func appendRecord(_ payload: borrowing ByteWriter) {
    bytes.appendVarint(UInt64(head.count + payload.count))
    bytes.append(head.buffer)
    bytes.append(payload.buffer)
    head.removeAll()
  }

  /// How many bytes the batch has behind its header.
  private var bodyCount: Int { bytes.count - finishedCount - BatchHeader.size }

  private mutating func beginBatch() {
    _ = bytes.makeRoom(for: BatchHeader.size)
  }

  private mutating func finishBatch() {
    assert(bodyCount >= 0, "a batch without its header")
    assert(newestDurable.map { $0 < firstEvent } ?? true, "an event is on the medium before it is written")
    let header = BatchHeader(
      salt: salt,
      length: UInt32(bodyCount),
      count: count,
      firstEvent: firstEvent,
      wallTime: wallTime,
      link: link,
      durable: newestDurable.map { UInt32(clamping: firstEvent - 1 - $0) } ?? 0
    )
    let checksum = header.write(into: bytes.mutableBuffer(from: finishedCount))
    if header.length > 0 { link = checksum }
    finishedCount = bytes.count
    beginBatch()
    firstEvent &+= UInt64(count)
    count = 0
  }
}

/// The numbers that the kinds of a coding have in a file. A kind is defined when it is used first.
struct KindNumbers {
  private let kinds: [RecordKind]
  /// 0 if it is not defined.
  private var numbers: [UInt64]

  init(_ role: RecordKind.Role, of types: [TypeVersion]) {
    kinds = types.map { RecordKind(role: role, type: $0) }
    numbers = types.map { _ in 0 }
  }

  /// The number of the kind that has a place in the coding.
  mutating func number(at index: Int, in segment: inout SegmentWriter) -> UInt64 {
    assert(numbers.indices.contains(index), "a kind that the coding does not have")
    if numbers[index] == 0 { numbers[index] = segment.define(kinds[index]) }
    return numbers[index]
  }
}
