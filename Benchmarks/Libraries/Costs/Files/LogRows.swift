import Aggregate
import CostRows
import RASPJournal
import RASPLogs
import Streams

/// The rows of logs, and of owners that fold them.
let logRows: [CostRow] = [
  CostRow(
    "log.memory.append",
    "MemoryLog.append",
    should: 1_000,
    note: "a log for tests: code that does not know the type of the entries"
  ) { _ in
    let log = MemoryLog<Int>()
    return { count in
      onThisThread {
        for value in 0..<count { _ = try? await log.append([value], to: 0) }
      }
    }
  },
  CostRow(
    "log.memory.read",
    "MemoryLog: append and read by entries",
    should: 1_500,
    note: "a log for tests: code that does not know the type of the entries"
  ) { _ in
    let log = MemoryLog<Int>()
    return { count in
      onThisThread {
        let newest = (try? await log.newest(in: 0)) ?? 0
        for value in 0..<count { _ = try? await log.append([value], to: 0) }
        var entries = log.entries(of: 0, after: newest).makeAsyncIterator()
        var left = count
        while left > 0, let batch = try? await entries.next() { left -= batch.entries.count }
        precondition(left == 0)
      }
    }
  },
  .together(
    "log.file.append",
    "FileLog.append (no sync)",
    should: 5_000,
    note: "the thread of the log writes, and wakes the caller"
  ) { _ in
    let log = must { try FileLog<Int>(at: temporaryFolder(), coding: .byHand, syncing: .bySystem) }
    return { count in
      for value in 0..<count { _ = await must { try await log.append([value], to: 0) } }
    }
  },
  .together(
    "logged.append",
    "LoggedAggregator.append (MemoryLog)",
    should: 5_000,
    note: "the log, and the owner that folds behind it in a task of its own"
  ) { _ in
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
  .together(
    "logged.append.folded",
    "LoggedAggregator.append and folded",
    should: 10_000,
    note: "the caller, the log and the owner wake each other for each event"
  ) { _ in
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
      for value in 0..<count {
        await must { try await rows.folded(await must { try await rows.append(Reading(key: 3, value: value)) }) }
      }
    }
  },
]
