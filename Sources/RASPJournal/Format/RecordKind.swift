/// What the payloads of records are. A file defines each kind before it uses it, so that it can be read alone.
@usableFromInline
struct RecordKind: Hashable, Sendable {
  /// What the records of a kind are.
  enum Role: UInt8, Sendable {
    /// Events: they have a number, a time and a cause.
    case event = 0
    /// States.
    case state = 1
    /// What the file says about itself.
    case description = 2
  }

  var role: Role
  @usableFromInline var type: TypeVersion
}

/// A record of a batch. Its payload lives as long as the bytes of the batch.
@usableFromInline
struct Record {
  /// What only an event has.
  struct Event {
    var number: UInt64
    /// Microseconds since 1970.
    var time: Int64
    var cause: CauseNumbers
  }

  @usableFromInline var kind: RecordKind
  /// The place of the kind among those that the file has defined so far, from 0.
  @usableFromInline var kindIndex: Int
  /// Where the payload begins in the file.
  var offset: Int
  /// `nil` for a state or a description.
  var event: Event?
  @usableFromInline var payload: UnsafeRawBufferPointer
}

/// The lane and the number of a cause; lane 0 if it is unknown.
struct CauseNumbers: Equatable, Sendable {
  static let unknown = CauseNumbers(lane: 0, number: 0)

  var lane: UInt64
  var number: UInt64
}

extension FileFailure {
  /// The coding does not read the value of a record.
  @usableFromInline
  init(_ record: Record, _ error: CodingError) {
    self.init(at: record.offset, .value(error), event: record.event.map { Int(truncatingIfNeeded: $0.number) })
  }
}
