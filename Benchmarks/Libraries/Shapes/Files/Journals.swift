import Aggregate
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
  static let journaledPipeline = Shape(events: 50_000) { events in
    let folder = temporaryFolder()
    let journal = try Journal(
      at: folder,
      startingWith: NavigationState(),
      coding: RecordingCoding(states: .byHand, events: .byHand),
      syncing: .bySystem
    )
    let pipeline = try AggregatorPipeline(Tally(), continuing: journal)
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

  /// Events are sent to a journal of JSON, and flushed at the end.
  static let journalAppended = Shape(events: 50_000) { count in
    let folder = temporaryFolder()
    let journal = try Journal(at: folder, startingWith: FixState(), syncing: .bySystem)
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

  /// The same events through the encoder alone.
  static let jsonEncoded = Shape(events: 50_000) { count in
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let tally = Tally()
    return Run {
      for number in 0..<count { if try !encoder.encode(Fix(number: number)).isEmpty { tally.increment() } }
    } proofs: {
      [Proof("events", tally.count, is: count)]
    }
  }
}

/// An event with three fields, as JSON.
private struct Fix: Codable, Sendable {
  var latitude: Double
  var longitude: Double
  var satellites: Int

  init(number: Int) {
    latitude = 53 + Double(number) / 1_000_000
    longitude = 9.5
    satellites = number & 15
  }
}

private struct FixState: AggregateState, Codable {
  var count = 0

  mutating func apply(_ event: Fix) { count += 1 }
}

private func temporaryFolder() -> String {
  FileManager.default.temporaryDirectory.appending(path: "journal-\(UUID().uuidString)").path
}
