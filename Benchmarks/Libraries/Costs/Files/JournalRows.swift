import Aggregate
import CostRows
import RASPJournal
import Streams

/// The rows of journals. The thread of the journal takes part in all of them.
let journalRows: [CostRow] = [
  .together("jrn.send.byHand", "journaled send, coding by hand, one selection", should: 800, count: 4_096) { _ in
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
  journaled("jrn.send.codable", "journaled send, Codable Int", should: 2_000, Meter()) { $0 },
  journaled("jrn.send.codable.struct", "journaled send, Codable struct", should: 2_000, Route()) { Fix($0) },
  .together(
    "jrn.keyed.send",
    "journaled keyed send, Codable",
    should: 2_000,
    count: 1_024,
    sizes: [16, 64, 256],
    of: "rows"
  ) { size in
    let journal = must {
      try KeyedJournal<Int, KeyedMeter>(at: temporaryFolder(), startingWith: RecordedRows(), syncing: .bySystem)
    }
    let rows = must { try KeyedAggregator(continuing: journal, by: \Reading.key, initial: { _ in KeyedMeter() }) }
    return { count in
      for value in 0..<count { rows.send(Reading(key: value % size, value: value)) }
      await must { try await journal.flush() }
    }
  },
  .together("jrn.read.events", "journaled send, and read back by events(after:)", should: 1_500, count: 1_024) { _ in
    let journal = must {
      try Journal(
        at: temporaryFolder(),
        startingWith: Meter(),
        coding: RecordingCoding(events: Coding<Int>.byHand),
        syncing: .bySystem
      )
    }
    let meter = must { try Aggregator(continuing: journal) }
    return { count in
      let before = journal.writtenCount
      for value in 0..<count { meter.send(value) }
      await must { try await journal.flush() }
      let events = journal.events(after: before)
      await must {
        var left = count
        for try await _ in events {
          left -= 1
          if left == 0 { return }
        }
      }
    }
  },
  .together("jrn.flush.each", "journaled send and flush for each", should: 5_000) { _ in
    let journal = must {
      try Journal(
        at: temporaryFolder(),
        startingWith: Meter(),
        coding: RecordingCoding(events: Coding<Int>.byHand),
        syncing: .bySystem
      )
    }
    let meter = must { try Aggregator(continuing: journal) }
    return { count in
      for value in 0..<count {
        meter.send(value)
        await must { try await journal.flush() }
      }
    }
  },
]

private func journaled<State: AggregateState & Codable>(
  _ name: String,
  _ operation: String,
  should: Int,
  _ initial: State,
  event: @escaping @Sendable (Int) -> State.Event
) -> CostRow where State.Event: Codable {
  .together(name, operation, should: should, count: 1_024) { _ in
    let journal = must { try Journal(at: temporaryFolder(), startingWith: initial, syncing: .bySystem) }
    let aggregator = must { try Aggregator(continuing: journal) }
    return { count in
      for value in 0..<count { aggregator.send(event(value)) }
      await must { try await journal.flush() }
    }
  }
}

extension Coding<Int> {
  static var byHand: Coding {
    Coding(version: 1) { value, bytes in
      bytes.append(value)
    } decode: { bytes in
      try bytes.read(Int.self)
    }
  }
}
