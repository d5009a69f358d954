import RASPLogs
import RASPLogsTesting
import RASPTesting
import Streams
import TestSupport
import Testing

/// Each law finds a log that breaks it.
@Suite("Logs that break a law", .endsInTime)
struct BrokenLogTests {
  struct Mistake: Sendable, CustomTestStringConvertible {
    let law: LogLaw
    let testDescription: String
    let make: @Sendable (inout BrokenLog<String>) -> Void

    init(_ law: LogLaw, _ description: String, _ make: @escaping @Sendable (inout BrokenLog<String>) -> Void) {
      self.law = law
      testDescription = "\(law): \(description)"
      self.make = make
    }
  }

  @Test("LOG-02: a law is violated by a log that does not keep it", arguments: appending + reading + records + members)
  func violation(_ mistake: Mistake) async throws {
    let log = MemoryLog<String>(partitions: LogLaw.partitions)
    await #expect(throws: LogLaw.Violation.self) {
      try await mistake.law.check(patience: .milliseconds(200)) { BrokenLog(log.reopened(), mistake.make) }
    }
  }

  @Test("a log whose members are handed on keeps all laws", arguments: LogLaw.allCases)
  func nothingBroken(_ law: LogLaw) async throws {
    let log = MemoryLog<String>(partitions: LogLaw.partitions)
    try await law.check { BrokenLog(log.reopened()) { _ in } }
  }

  static let appending = [
    Mistake(.denseOffsets, "the offset of the first entry is returned") { log in
      log.appending = { (base, entries, partition) async throws(LogError) in
        try await base.append(entries, to: partition) - max(0, entries.count - 1)
      }
    },
    Mistake(.denseOffsets, "no entries have the offset 0") { log in
      log.appending = { (base, entries, partition) async throws(LogError) in
        entries.isEmpty ? 0 : try await base.append(entries, to: partition)
      }
    },
    Mistake(.concurrentAppends, "the entries of a call are in another order") { log in
      log.appending = { (base, entries, partition) async throws(LogError) in
        try await base.append(entries.reversed(), to: partition)
      }
    },
    Mistake(.concurrentAppends, "an append that was sent again is there twice") { log in
      log.appending = { (base, entries, partition) async throws(LogError) in
        try await base.append(entries, to: partition)
        return try await base.append(entries, to: partition)
      }
    },
    Mistake(.cancelledAppend, "what a cancelled task appends is acknowledged and not there") { log in
      log.appending = { (base, entries, partition) async throws(LogError) in
        if Task.isCancelled { return try await base.newest(in: partition) + 1 }
        return try await base.append(entries, to: partition)
      }
    },
    Mistake(.cancelledAppend, "what a cancelled task appends is there twice") { log in
      log.appending = { (base, entries, partition) async throws(LogError) in
        if Task.isCancelled { try await base.append(entries, to: partition) }
        return try await base.append(entries, to: partition)
      }
    },
    Mistake(.restart, "an append is forgotten") { log in
      log.appending = { (base, entries, partition) async throws(LogError) in
        try await base.newest(in: partition) + entries.count
      }
    },
    Mistake(.closing, "an append to a closed log succeeds") { log in
      log.appending = { (base, entries, partition) async throws(LogError) in
        do throws(LogError) { return try await base.append(entries, to: partition) } catch { return 1 }
      }
    },
    Mistake(.noPartition, "another partition is used") { log in
      log.place = { max(0, min($0, LogLaw.partitions - 1)) }
    },
    Mistake(.denseOffsets, "all partitions are one") { log in
      log.place = { _ in 0 }
    },
  ]

  static let reading = [
    Mistake(.denseOffsets, "the times are those of the reading") { log in
      let count = Lock(0)
      log.reading = { base, partition, offset in
        base.entries(of: partition, after: offset).changed { batch in
          let time = count.withLock { count in
            count += 1
            return Duration.seconds(count)
          }
          return LogBatch(
            offsets: batch.offsets,
            entries: batch.entries.map { Logged(offset: $0.offset, time: time, entry: $0.entry) }
          )
        }
      }
    },
    Mistake(.completeBatches, "large entries are cut") { log in
      log.reading = { base, partition, offset in
        base.entries(of: partition, after: offset).changed { batch in
          LogBatch(
            offsets: batch.offsets,
            entries: batch.entries.map { logged in
              Logged(offset: logged.offset, time: logged.time, entry: String(logged.entry.prefix(9_999)))
            }
          )
        }
      }
    },
    Mistake(.completeBatches, "a batch lacks an entry") { log in
      log.reading = { base, partition, offset in
        base.entries(of: partition, after: offset).changed { batch in
          LogBatch(offsets: batch.offsets, entries: batch.entries.filter { $0.offset != 2_000 })
        }
      }
    },
    Mistake(.waitingReader, "a reader ends with the entries that are there") { log in
      log.reading = { base, partition, offset in
        LogEntries {
          { () async throws(LogError) -> LogBatch<String>? in
            if try await base.newest(in: partition) <= offset { return nil }
            var batches = base.entries(of: partition, after: offset).makeAsyncIterator()
            return try await batches.next()
          }
        }
      }
    },
    Mistake(.slowReader, "a slow reader gets only the newest entry") { log in
      log.reading = { base, partition, offset in
        LogEntries {
          let last = Lock(offset)
          return { () async throws(LogError) -> LogBatch<String>? in
            let newest = try await base.newest(in: partition)
            var batches = base.entries(of: partition, after: max(last.withLock { $0 }, newest - 1)).makeAsyncIterator()
            let batch = try await batches.next()
            if let batch { last.withLock { $0 = batch.offsets.upperBound } }
            return batch
          }
        }
      }
    },
    Mistake(.cancelledReader, "a cancelled reader gets an entry") { log in
      log.reading = { base, partition, offset in
        LogEntries {
          let hasRead = Lock(false)
          return { () async throws(LogError) -> LogBatch<String>? in
            var batches = base.entries(of: partition, after: offset).makeAsyncIterator()
            let batch = try await batches.next()
            if batch != nil || hasRead.exchange(with: true) { return batch }
            return LogBatch(offsets: 1...1, entries: [Logged(offset: 1, time: .zero, entry: "made up")])
          }
        }
      }
    },
    Mistake(.wentBack, "a reader behind the end has nothing to read") { log in
      log.reading = { base, partition, offset in
        LogEntries {
          { () async throws(LogError) -> LogBatch<String>? in
            if offset > (try await base.newest(in: partition)) { return nil }
            var batches = base.entries(of: partition, after: offset).makeAsyncIterator()
            return try await batches.next()
          }
        }
      }
    },
    Mistake(.wentBackAndGrew, "entries are known by their offsets only") { log in
      log.looking = { _ in .unknown }
    },
    Mistake(.wentBackAndGrew, "what is looked for is not compared") { log in
      log.reading = { base, partition, offset in base.entries(of: partition, after: offset) }
    },
    Mistake(.cutAtOffset, "the record forgets which entry it was") { log in
      log.committing = { (base, rows, offset, partition, revision) async throws(LogError) in
        try await base.commit(rows, at: offset, to: partition, replacing: revision)
      }
    },
    Mistake(.closing, "a reader of a closed log gets an entry") { log in
      log.reading = { base, partition, offset in
        LogEntries {
          let hasRead = Lock(false)
          return { () async throws(LogError) -> LogBatch<String>? in
            var batches = base.entries(of: partition, after: offset).makeAsyncIterator()
            let batch = try await batches.next()
            if batch != nil || hasRead.exchange(with: true) { return batch }
            return LogBatch(offsets: 2...2, entries: [Logged(offset: 2, time: .zero, entry: "made up")])
          }
        }
      }
    },
  ]

  static let records = [
    Mistake(.compareAndSet, "any revision is replaced") { log in
      log.committing = { (base, rows, offset, partition, _) async throws(LogError) in
        try await base.commit(rows, at: offset, to: partition, replacing: base.committed(partition).revision)
      }
    },
    Mistake(.compareAndSet, "large rows are cut") { log in
      log.committing = { (base, rows, offset, partition, revision) async throws(LogError) in
        try await base.commit(Array(rows.prefix(1 << 16)), at: offset, to: partition, replacing: revision)
      }
    },
    Mistake(.compareAndSet, "the record has another offset") { log in
      log.recorded = { (base, partition) async throws(LogError) in
        let record = try await base.committed(partition)
        return LogRecord(rows: record.rows, offset: 0, revision: record.revision)
      }
    },
    Mistake(.commitRange, "any offset is taken") { log in
      log.committing = { (base, rows, offset, partition, revision) async throws(LogError) in
        let valid = try await base.committed(partition).offset...base.newest(in: partition)
        let offset = min(max(offset, valid.lowerBound), valid.upperBound)
        return try await base.commit(rows, at: offset, to: partition, replacing: revision)
      }
    },
    Mistake(.concurrentCommits, "to look and to replace are two steps") { log in
      log.committing = { (base, rows, offset, partition, revision) async throws(LogError) in
        let present = try await base.committed(partition).revision
        if present != revision { throw .deposed(log: base.name, partition: partition) }
        for _ in 0..<100 { await Task.yield() }
        return try await base.commit(rows, at: offset, to: partition, replacing: base.committed(partition).revision)
      }
    },
    Mistake(.fencing, "an owner before may commit what is newer") { log in
      log.committing = { (base, rows, offset, partition, revision) async throws(LogError) in
        let record = try await base.committed(partition)
        let present = offset > record.offset ? record.revision : revision
        return try await base.commit(rows, at: offset, to: partition, replacing: present)
      }
    },
    Mistake(.restart, "the rows are not there again") { log in
      let isOwn = Lock(false)
      log.committing = { (base, rows, offset, partition, revision) async throws(LogError) in
        isOwn.withLock { $0 = true }
        return try await base.commit(rows, at: offset, to: partition, replacing: revision)
      }
      log.recorded = { (base, partition) async throws(LogError) in
        isOwn.withLock { $0 } ? try await base.committed(partition) : .none
      }
    },
  ]

  static let members = [
    Mistake(.assignment, "each member has all partitions") { log in
      log.assigning = { base, _ in Observable { $0.send(Set(0..<base.partitions)) } }
    },
    Mistake(.assignment, "the partitions of a member that leaves are lost") { log in
      let members = Lock<[String]>([])
      log.assigning = { base, member in
        let names = members.withLock { members in
          members.append(member)
          return members
        }
        if names.count == 1 { return base.assignment(of: member) }
        return Observable { [all = base.assignment(of: member)] producer in
          let subscription = all.prefix(1).subscribe { producer.send($0) }
          producer.onTermination { subscription.cancel() }
        }
      }
    },
    Mistake(.assignment, "a member has nothing") { log in
      log.assigning = { _, _ in Observable { $0.send([]) } }
    },
    Mistake(.closing, "an assignment goes on in a closed log") { log in
      log.assigning = { base, _ in Observable { $0.send(Set(0..<base.partitions)) } }
    },
  ]
}
