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
    guard let (number, event) = try event(of: record), let cause = event.cause.cause else { return }
    do throws(CodingError) {
      try values.decode(record) { value in
        take(Recording.Entry(number: number, event: value, cause: cause, time: .microseconds(event.time)))
      }
    } catch {
      throw JournalError.unreadable(file: file, offset: record.offset, event: number, reason: error)
    }
  }

  /// Gives the record of an event behind another one to `fold`. The others are not decoded.
  ///
  /// - Returns: the number of the event, if it was given.
  mutating func fold(
    _ record: Record,
    behind base: Int,
    _ fold: (Record, inout ValueDecoder<State.Event>) throws(CodingError) -> Void
  ) throws -> Int? {
    guard let (number, _) = try event(of: record), number > base else { return nil }
    do throws(CodingError) {
      try fold(record, &values)
      return number
    } catch {
      throw JournalError.unreadable(file: file, offset: record.offset, event: number, reason: error)
    }
  }

  /// The number of an event, and what else it has; `nil` for another record.
  private func event(of record: Record) throws(Damage) -> (Int, Record.Event)? {
    guard let event = record.event else {
      if record.kind.role == .description { return nil }
      throw Damage(at: record.offset, .malformed("a state in a segment"))
    }
    guard let number = Int(exactly: event.number), event.cause.number < 1 << 48 else {
      throw Damage(at: record.offset, .malformed("a number that is too large"))
    }
    return (number, event)
  }
}
