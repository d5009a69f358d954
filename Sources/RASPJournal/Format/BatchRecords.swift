/// The records in the body of a batch whose checksum is right, one after the other.
struct BatchRecords: ~Copyable {
  /// The kinds that the file has defined so far, by their numbers less one.
  private(set) var kinds: [RecordKind]

  private let header: BatchHeader
  private let leavesOutEvents: Bool
  private let offset: Int
  private var body: ByteReader
  private var count: UInt32 = 0
  /// The time of the last event, µs since 1970.
  private var time: Int64

  /// - Parameters:
  ///   - offset: where the body begins in the file.
  ///   - leavesOutEvents: whether events are only counted.
  init(
    _ body: UnsafeRawBufferPointer,
    of header: BatchHeader,
    at offset: Int,
    kinds: [RecordKind],
    leavingOutEvents leavesOutEvents: Bool = false
  ) {
    assert(body.count == Int(header.length), "a body of another length")
    self.body = ByteReader(body)
    self.header = header
    self.offset = offset
    self.leavesOutEvents = leavesOutEvents
    self.kinds = kinds
    time = Int64(clamping: header.wallTime / 1_000)
  }

  /// The next record that is no definition; `nil` after the last one.
  mutating func next() throws(FileFailure) -> Record? {
    while body.remaining > 0 {
      let start = body.position
      do {
        if let record = try readRecord() { return record }
      } catch let later as Later {
        throw FileFailure(at: offset + start, .later(later.description))
      } catch {
        throw FileFailure(at: offset + start, .malformed("\(error)"))
      }
    }
    guard count == header.count else {
      throw FileFailure(at: offset, .malformed("\(count) events, where \(header.count) are announced"))
    }
    return nil
  }

  private mutating func readRecord() throws -> Record? {
    guard let length = Int(exactly: try body.readVarint()) else { throw ByteError.ended }
    var record = ByteReader(try body.readBuffer(length))
    let number = try record.readVarint()
    if number == 0 {
      try define(&record)
      return nil
    }
    guard number <= UInt64(kinds.count) else { throw Malformed("a record of kind \(number), which is not defined") }
    let index = Int(number) - 1
    if leavesOutEvents, kinds[index].role == .event {
      count &+= 1
      return nil
    }
    let kind = kinds[index]
    let event = kind.role == .event ? try readEvent(&record) : nil
    return Record(
      kind: kind,
      kindIndex: index,
      offset: offset + body.position - record.remaining,
      event: event,
      payload: try record.readBuffer(record.remaining)
    )
  }

  private mutating func define(_ record: inout ByteReader) throws {
    let number = try record.readVarint()
    guard number == UInt64(kinds.count) + 1 else { throw Malformed("kind \(number) is defined out of order") }
    let role = try record.readByte()
    guard let role = RecordKind.Role(rawValue: role) else { throw Later(description: "a kind with the role \(role)") }
    let version = Int64(bitPattern: try record.readVarint())
    guard let version = Int(exactly: version) else { throw ByteError.numberTooLarge }
    let name = try record.readString()
    guard record.remaining == 0 else { throw Malformed("a definition with more bytes than it needs") }
    kinds.append(RecordKind(role: role, type: TypeVersion(name: name, version: version)))
  }

  /// The bit above all lanes: bytes follow that a reader may ignore.
  private static var notes: UInt64 { 1 << 24 }

  private mutating func readEvent(_ record: inout ByteReader) throws -> Record.Event {
    let number = header.firstEvent &+ UInt64(count)
    time &+= try record.readZigzag()
    let lane = try record.readVarint()
    guard lane < Self.notes << 1 else { throw Malformed("a lane above 16,777,215") }
    let hasNotes = lane & Self.notes != 0
    let causeLane = lane & ~Self.notes
    var cause = CauseNumbers.unknown
    if causeLane > 0 {
      cause = CauseNumbers(lane: causeLane, number: number &- UInt64(bitPattern: try record.readZigzag()))
    }
    if hasNotes {
      guard let length = Int(exactly: try record.readVarint()) else { throw ByteError.ended }
      _ = try record.readBuffer(length)
    }
    count &+= 1
    return Record.Event(number: number, time: time, cause: cause)
  }
}

/// What a later version writes, in words.
private struct Later: Error {
  let description: String
}

/// What is wrong in a record, in words.
private struct Malformed: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) {
    self.description = description
  }
}
