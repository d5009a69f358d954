import Aggregate
import CostRows
import RASPJournal
import RASPKeyed
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
  journaled("jrn.send.codable", "journaled send, Codable Int", should: 5_000, Meter()) { $0 },
  journaled("jrn.send.codable.struct", "journaled send, Codable struct", should: 22_000, Route()) { Fix($0) },
  .together(
    "jrn.keyed.send",
    "journaled keyed send, Codable",
    should: 60_000,
    count: 1_024,
    sizes: [16, 64, 256],
    of: "rows",
    note: "by the coder of the toolchain: see jrn.coder.row, which is what it should need"
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
  .together(
    "jrn.read.events",
    "journaled send, and read back by events(after:)",
    should: 1_500,
    count: 1_024,
    note: "sent, written by the thread and read; reading asks for types"
  ) { _ in
    let journal = must {
      try Journal(
        at: temporaryFolder(),
        startingWith: Meter(),
        coding: RecordingCoding(events: Coding<Int>.byHand),
        syncing: .bySystem
      )
    }
    let meter = must { try Aggregator(continuing: journal) }
    let events = JournalReader(journal.events(after: 0))
    return { count in
      for value in 0..<count { meter.send(value) }
      await must { try await journal.flush() }
      await must { for _ in 0..<count { _ = try await events.next() } }
    }
  },
  .together(
    "jrn.flush.each",
    "journaled send and flush for each",
    should: 5_000,
    note: "two threads wait for each other"
  ) { _ in
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

/// Reads the events of a journal on, from row to row. One task at a time does.
private final class JournalReader: @unchecked Sendable {
  private var events: JournalEvents<Meter>.AsyncIterator

  init(_ events: JournalEvents<Meter>) { self.events = events.makeAsyncIterator() }

  nonisolated(nonsending) func next() async throws -> Recording<Meter>.Entry? {
    try await events.next(isolation: #isolation)
  }
}
