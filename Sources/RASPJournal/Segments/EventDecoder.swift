import Aggregate
import Streams

/// Makes entries of the records of one segment.
struct EventDecoder<State: AggregateState> {
  private let file: String
  private var values: ValueDecoder<State.Event>

  /// - Parameter file: the path of the segment, for errors.
  init(_ coding: Coding<State.Event>, file: String) {
    self.file = file
    values = ValueDecoder(coding)
  }

  /// Gives what a record becomes to `take`: the entries of an event, or nothing for another record. Their times count
  /// from 1970.
  mutating func decode(_ record: Record, _ take: (Recording<State>.Entry) -> Void) throws {
    guard let event = record.event else {
      if record.kind.role == .description { return }
      throw Damage(at: record.offset, .malformed("a state in a segment"))
    }
    guard let number = Int(exactly: event.number), let cause = event.cause.cause else {
      throw Damage(at: record.offset, .malformed("a number that is too large"))
    }
    do throws(CodingError) {
      try values.decode(record) { value in
        take(Recording.Entry(number: number, event: value, cause: cause, time: .microseconds(event.time)))
      }
    } catch {
      throw JournalError.unreadable(file: file, offset: record.offset, event: number, reason: error)
    }
  }
}
