import Aggregate
import AllocationCounter
import Foundation
import RASPJournal
import Streams

extension Coding<NavigationEvent> {
  fileprivate static var byHand: Coding {
    Coding(version: 1) { event, bytes in
      switch event {
      case .heading(let heading):
        bytes.append(UInt8(0))
        bytes.append(heading)
      case .speed(let speed):
        bytes.append(UInt8(1))
        bytes.append(speed)
      case .satellites(let satellites):
        bytes.append(UInt8(2))
        bytes.append(satellites)
      }
    } decode: { bytes in
      switch try bytes.readByte() {
      case 0: .heading(try bytes.read(Int.self))
      case 1: .speed(try bytes.read(Double.self))
      default: .satellites(try bytes.read(Int.self))
      }
    }
  }
}

extension Coding<NavigationEvent> {
  /// The same. What the thread of the journal allocates is not counted.
  fileprivate static var byHandUncounted: Coding {
    Coding(version: 1) { event, bytes in
      allocation_counter_leave_out_this_thread()
      switch event {
      case .heading(let heading): bytes.append(heading)
      case .speed(let speed): bytes.append(speed)
      case .satellites(let satellites): bytes.append(satellites)
      }
    } decode: { bytes in
      .heading(try bytes.read(Int.self))
    }
  }
}

extension Coding<NavigationState> {
  fileprivate static var byHand: Coding {
    Coding(version: 1) { state, bytes in
      bytes.append(state.heading)
      bytes.append(state.speed)
      bytes.append(state.satellites ?? -1)
    } decode: { bytes in
      NavigationState(heading: try bytes.read(Int.self), speed: try bytes.read(Double.self))
    }
  }
}

extension Shape {
  /// The pipeline of this package, with a journal. There is room for all events, so the fold never waits for the disk.
  static let journaledPipeline = journaled("pipeline-journaled", .byHand)

  /// The same, to count what the push side allocates.
  static let journaledPush = journaled("pipeline-journaled-push", .byHandUncounted)

  private static func journaled(_ name: String, _ coding: Coding<NavigationEvent>) -> Shape {
    Shape(name, events: 50_000) { events in
      let folder = temporaryFolder()
      let journal = try Journal(
        at: folder,
        startingWith: NavigationState(),
        coding: RecordingCoding(states: .byHand, events: coding),
        syncing: .bySystem
      )
      let tally = Tally()
      let pipeline = try AggregatorPipeline(tally, continuing: journal)
      // A line that was gone through once, as in a program that has run for a while.
      let before = 1 << 16
      pipeline.sendAlternately(before)
      try await journal.flush()
      return Run {
        pipeline.sendAlternately(events)
      } proofs: {
        try await journal.close()
        let written = journal.writtenCount
        try FileManager.default.removeItem(atPath: folder)
        return [Proof("events in the journal", written, is: before + events)]
      }
    }
  }

  /// Events are sent, and flushed at the end.
  static func journalAppended(_ format: String, _ events: Coding<Fix>, count: Int) -> Shape {
    Shape("journal-appended-\(format)", events: count) { count in
      let folder = temporaryFolder()
      let coding = RecordingCoding<FixState>(events: events)
      let journal = try Journal(at: folder, startingWith: FixState(), coding: coding, syncing: .bySystem)
      let aggregator = try Aggregator(continuing: journal)
      return Run {
        for number in 0..<count { aggregator.send(Fix(number: number)) }
        try await journal.flush()
      } proofs: {
        try await journal.close()
        let written = journal.writtenCount
        try FileManager.default.removeItem(atPath: folder)
        return [Proof("events in the journal", written, is: count)]
      }
    }
  }

  /// A journal of events is opened. Snapshots of another version are not used, so all events are folded.
  static func journalRestored(_ format: String, _ events: Coding<Fix>, count: Int, hasSnapshots: Bool = false) -> Shape
  {
    Shape("journal-restored-\(format)\(hasSnapshots ? "-snapshots" : "")", events: count) { count in
      let folder = temporaryFolder()
      let journal = try Journal(
        at: folder,
        startingWith: FixState(),
        coding: RecordingCoding<FixState>(events: events),
        syncing: .bySystem
      )
      let aggregator = try Aggregator(continuing: journal)
      for number in 0..<count { aggregator.send(Fix(number: number)) }
      try await journal.close()
      let tally = Tally()
      let coding = RecordingCoding<FixState>(states: .codable(version: hasSnapshots ? 1 : 2), events: events)
      return Run {
        let restored = try Journal(at: folder, startingWith: FixState(), coding: coding)
        tally.increment(by: restored.recovery.event)
        try await restored.close()
      } proofs: {
        try FileManager.default.removeItem(atPath: folder)
        return [Proof("events restored", tally.count, is: count)]
      }
    }
  }
}

private func temporaryFolder() -> String {
  FileManager.default.temporaryDirectory.appending(path: "journal-\(UUID().uuidString)").path
}
