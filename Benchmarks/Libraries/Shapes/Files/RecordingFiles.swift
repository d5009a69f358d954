import Aggregate
import Foundation
import RASPJournal
import Streams

/// An event with three fields, as JSON and as bytes by hand.
struct Fix: Codable, Sendable {
  var latitude: Double
  var longitude: Double
  var satellites: Int

  init(number: Int) {
    latitude = 53 + Double(number) / 1_000_000
    longitude = 9.5
    satellites = number & 15
  }
}

struct FixState: AggregateState, Codable {
  var count = 0

  mutating func apply(_ event: Fix) { count += 1 }
}

extension Coding<Fix> {
  static var byHand: Coding {
    Coding(version: 1) { fix, bytes in
      bytes.append(fix.latitude)
      bytes.append(fix.longitude)
      bytes.appendVarint(UInt64(fix.satellites))
    } decode: { bytes in
      var fix = Fix(number: 0)
      fix.latitude = try bytes.read(Double.self)
      fix.longitude = try bytes.read(Double.self)
      fix.satellites = Int(try bytes.readVarint())
      return fix
    }
  }
}

extension Shape {
  /// A recording is written into a file, synced and renamed.
  static func recordingWritten(_ format: String, _ events: Coding<Fix>) -> Shape {
    Shape("recording-written-\(format)", events: 20_000) { count in
      let recording = fixes(count)
      let path = temporaryPath()
      let coding = RecordingCoding<FixState>(events: events)
      return Run {
        try recording.write(to: path, coding: coding)
      } proofs: {
        let read = try Recording<FixState>(contentsOf: path, coding: coding)
        try FileManager.default.removeItem(atPath: path)
        return [Proof("events in the file", read.entries.count, is: count)]
      }
    }
  }

  /// A recording is read from the memory in which the system keeps files.
  static func recordingRead(_ format: String, _ events: Coding<Fix>) -> Shape {
    Shape("recording-read-\(format)", events: 20_000) { count in
      let path = temporaryPath()
      let coding = RecordingCoding<FixState>(events: events)
      try fixes(count).write(to: path, coding: coding)
      let tally = Tally()
      return Run {
        tally.increment(by: try Recording<FixState>(contentsOf: path, coding: coding).entries.count)
      } proofs: {
        try FileManager.default.removeItem(atPath: path)
        return [Proof("events read", tally.count, is: count)]
      }
    }
  }

  /// The same events through the encoder alone.
  static let jsonEncoded = Shape("json-encoded", events: 20_000) { count in
    let events = fixes(count).entries
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let tally = Tally()
    return Run {
      for entry in events { if try !encoder.encode(entry.event).isEmpty { tally.increment() } }
    } proofs: {
      [Proof("events", tally.count, is: count)]
    }
  }

  /// The same events through the decoder alone.
  static let jsonDecoded = Shape("json-decoded", events: 20_000) { count in
    let encoder = JSONEncoder()
    let events = try fixes(count).entries.map { try encoder.encode($0.event) }
    let decoder = JSONDecoder()
    let tally = Tally()
    return Run {
      for event in events { if try decoder.decode(Fix.self, from: event).longitude == 9.5 { tally.increment() } }
    } proofs: {
      [Proof("events", tally.count, is: count)]
    }
  }

  /// Values of a megabyte, which cost their checksum and little else. An event of the shape is a kilobyte.
  static let recordingChecked = Shape("recording-checked", events: 16_384) { kilobytes in
    let path = temporaryPath()
    let bytes = Coding<[UInt8]>(version: 1) { block, bytes in
      bytes.append(contentsOf: block)
    } decode: { bytes in
      let block = try bytes.readBytes(bytes.remaining)
      return [UInt8(block.count >> 20)]
    }
    let coding = RecordingCoding<BlockState>(events: bytes)
    let entries = (0..<kilobytes / 1_024).map {
      Recording<BlockState>.Entry(number: 1 + $0, event: [UInt8](repeating: UInt8($0 & 0xFF), count: 1 << 20))
    }
    try Recording(name: "blocks", initial: nil, entries: entries, state: BlockState()).write(to: path, coding: coding)
    let tally = Tally()
    return Run {
      for entry in try Recording<BlockState>(contentsOf: path, coding: coding).entries {
        tally.increment(by: Int(entry.event[0]))
      }
    } proofs: {
      try FileManager.default.removeItem(atPath: path)
      return [Proof("megabytes", tally.count, is: kilobytes / 1_024)]
    }
  }

  /// The same bytes, read without looking at them.
  static let fileRead = Shape("file-read", events: 16_384) { kilobytes in
    let path = temporaryPath()
    try Data(count: kilobytes * 1_024).write(to: URL(filePath: path))
    let tally = Tally()
    return Run {
      tally.increment(by: try Data(contentsOf: URL(filePath: path)).count)
    } proofs: {
      try FileManager.default.removeItem(atPath: path)
      return [Proof("bytes", tally.count, is: kilobytes * 1_024)]
    }
  }
}

struct BlockState: AggregateState, Codable {
  mutating func apply(_ event: [UInt8]) {}
}

private func fixes(_ count: Int) -> Recording<FixState> {
  let entries = (1...count).map { number in
    Recording<FixState>.Entry(
      number: number,
      event: Fix(number: number),
      cause: Cause(lane: 1, number: number - 1),
      time: .milliseconds(number)
    )
  }
  return Recording(name: "fixes", lane: 1, initial: FixState(), entries: entries, state: FixState(count: count))
}

private func temporaryPath() -> String {
  FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).rasp").path
}
