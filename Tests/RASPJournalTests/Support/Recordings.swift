import Aggregate
import JournalTestSupport
import Streams
import TestSupport
import Testing

@testable import RASPJournal

/// What two recordings must have in common, for a comparison.
struct Content<State: AggregateState & Equatable>: Equatable where State.Event: Hashable {
  struct Entry: Hashable {
    var number: Int
    var event: State.Event
    var cause: Cause
    var time: Duration
  }

  var name: String
  var lane: Int
  var initial: State?
  var entries: [Entry]
  var state: State

  init(_ recording: Recording<State>) {
    name = recording.name
    lane = recording.lane
    initial = recording.initial
    entries = recording.entries.map { Entry(number: $0.number, event: $0.event, cause: $0.cause, time: $0.time) }
    state = recording.state
  }
}

extension Recording where State: Sendable {
  /// A recording of events that were folded into a state, with a cause for every second one.
  static func folding(
    _ events: [State.Event],
    into initial: State,
    name: String = "boat",
    first: Int = 1,
    lane: Int = 3
  ) -> Recording where State.Rejection == Never {
    var state = initial
    let entries = events.enumerated().map { index, event in
      state.apply(event)
      return Entry(
        number: first + index,
        event: event,
        cause: index % 2 == 0 ? .unknown : Cause(lane: 1 + index % 5, number: index * 7),
        time: .microseconds(index * index * 1_000)
      )
    }
    return Recording(name: name, lane: lane, initial: initial, entries: entries, state: state)
  }

  /// The bytes of a file with a stamp that is always the same.
  func bytes(coding: RecordingCoding<State>, salt: UInt32 = 0x5EED, batchLimit: Int = 1 << 20) throws -> [UInt8] {
    let disk = SimulatedDisk()
    let stamp = FileStamp(salt: salt, wallTime: 1_790_000_000_123_456_789, identity: 42)
    try write(to: "a.rasp", coding: coding, stamp: stamp, batchLimit: batchLimit, on: disk)
    return try #require(disk.contents["a.rasp"])
  }

  /// Reads the bytes as a file.
  init(_ bytes: [UInt8], coding: RecordingCoding<State>) throws(JournalError) {
    try self.init(contentsOf: "a.rasp", coding: coding, on: SimulatedDisk(["a.rasp": bytes]))
  }
}

extension Recording<Total> {
  /// A small recording whose file has several batches.
  static var small: Recording {
    .folding([.add(1), .word("two"), .add(-3), .word("four"), .add(.max)], into: Total(sum: 7, words: ["zero"]))
  }
}
