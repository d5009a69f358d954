import Aggregate
import Counting
import RASPInsight
import RASPJournal
import RASPLogs
import Streams

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// What is recorded while it happens, and what is kept.
let recordRows: [CountedRow] = [
  CountedRow("ins.agg", count: 1_024) {
    let meter = Aggregator(initial: Meter())
    let recorder = Insight().record(meter, as: "meter", last: 256)
    let sink = Sink()
    let token = meter.select(\.value).subscribe { sink.see($0) }
    for value in 0..<512 { meter.send(value) }
    return { count in
      for value in 0..<count { meter.send(value) }
      precondition(meter.snapshot.value == count - 1)
      withExtendedLifetime((token, recorder)) {}
    }
  },
  // The thread of the journal is counted, too.
  .together("jrn.send.byHand", count: 4_096) {
    let journal = must {
      try Journal(
        at: temporaryFolder(),
        startingWith: Meter(),
        coding: RecordingCoding(events: Coding<Int>.byHand),
        syncing: .bySystem
      )
    }
    let meter = must { try Aggregator(continuing: journal) }
    let sink = Sink()
    let token = meter.select(\.value).subscribe { sink.see($0) }
    return { count in
      for value in 0..<count { meter.send(value) }
      await must { try await journal.flush() }
      withExtendedLifetime(token) {}
    }
  },
  .together("logged.append") {
    let rows = await must {
      try await LoggedAggregator(
        by: \Reading.key,
        initial: { _ in KeyedMeter() },
        on: MemoryLog<Reading>(),
        committingEvery: .seconds(100_000),
        orAfter: 1 << 40
      )
    }
    return { count in
      var last: LogPosition?
      for value in 0..<count { last = await must { try await rows.append(Reading(key: 3, value: value)) } }
      if let last { await must { try await rows.folded(last) } }
    }
  },
]

private struct Meter: AggregateState, Equatable, Codable {
  var value = 0
  var count = 0

  mutating func apply(_ reading: Int) {
    value = reading
    count &+= 1
  }
}

private struct Reading: Sendable, Codable {
  var key: Int
  var value: Int
}

private struct KeyedMeter: AggregateState, Equatable, Codable {
  var value = 0

  mutating func apply(_ reading: Reading) { value = reading.value }
}

extension Coding<Int> {
  fileprivate static var byHand: Coding {
    Coding(version: 1) { value, bytes in
      bytes.append(value)
    } decode: { bytes in
      try bytes.read(Int.self)
    }
  }
}

/// Makes an empty folder, in memory where the system has files there. The system removes what is in it.
private func temporaryFolder() -> String {
  #if os(Linux)
    let parent = "/dev/shm"
  #else
    let parent = "/tmp"
  #endif
  var path = Array("\(parent)/rasp-goals-XXXXXX".utf8CString)
  precondition(mkdtemp(&path) != nil, "No folder could be made in \(parent).")
  return String(decoding: path.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
}
