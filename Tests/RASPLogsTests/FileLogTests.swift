import Foundation
import JournalTestSupport
import RASPTesting
import Streams
import TestSupport
import Testing

@testable import RASPJournal
@testable import RASPLogs

@Suite("A log in files", .endsInTime)
struct FileLogTests {
  @Test("LOG-07: the number of partitions stays, and a second process is kept out")
  func opening() async throws {
    try await inNewFolder { folder in
      let log = try FileLog<String>(at: folder, partitions: 2)
      let locked = #expect(throws: LogError.self) { try FileLog<String>(at: folder) }
      guard case .files(_, .locked)? = locked else {
        Issue.record("\(String(describing: locked))")
        return
      }
      try await log.append(["a"], to: 1)
      try await log.close()
      let other = #expect(throws: LogError.self) { try FileLog<String>(at: folder, partitions: 3) }
      guard case .partitionCount(_, 2, 3)? = other else {
        Issue.record("\(String(describing: other))")
        return
      }
      let again = try FileLog<String>(at: folder)
      #expect(again.partitions == 2)
      #expect(try await again.entries(in: 1) == ["a"])
      try await again.close()
    }
  }

  @Test("rows cannot be committed for an entry that is not there, nor for one before the record")
  func invalidOffsets() async throws {
    try await inNewFolder { folder in
      let log = try FileLog<String>(at: folder)
      try await log.append(["a", "b", "c"], to: 0)
      let revision = try await log.commit([1], at: 2, to: 0, replacing: .none)
      for offset in [1, 4] {
        let error = await #expect(throws: LogError.self) {
          try await log.commit([], at: offset, to: 0, replacing: revision)
        }
        guard case .invalidOffset(_, 0, offset, 2...3)? = error else {
          Issue.record("\(String(describing: error))")
          continue
        }
      }
      try await log.commit([2], at: 3, to: 0, replacing: revision)
      try await log.close()
    }
  }

  @Test("an entry of an older version becomes several or none, and the offsets stay dense")
  func versions() async throws {
    try await inNewFolder { folder in
      let old = try FileLog<Int>(at: folder, coding: .codable(version: 1, named: "Entry"))
      for number in 0...3 { try await old.append([number], to: 0) }
      try await old.close()
      let coding = Coding<String>.codable(version: 2, named: "Entry").reading(version: 1, as: Int.self) { number in
        (0..<number % 3).map { "\(number) \($0)" }
      }
      let log = try FileLog<String>(at: folder, coding: coding)
      var batches = log.entries(of: 0, after: 0).makeAsyncIterator()
      var (last, entries) = (0, [Logged<String>]())
      while last < 4, let batch = try await batches.next() {
        #expect(batch.offsets.lowerBound == last + 1)
        last = batch.offsets.upperBound
        entries += batch.entries
      }
      #expect(entries.map(\.entry) == ["1 0", "2 0", "2 1"])
      #expect(entries.map(\.offset) == [2, 3, 3])
      try await log.close()
    }
  }

  @Test("LOG-05: a value without bytes is refused, and nothing of its call is appended")
  func unwritable() async throws {
    try await inNewFolder { folder in
      let coding = Coding<Int>(version: 1) { number, bytes in
        if number == 2 { throw TestError(code: 2) }
        bytes.append(number)
      } decode: {
        try $0.read(Int.self)
      }
      let log = try FileLog(at: folder, coding: coding)
      let error = await #expect(throws: LogError.self) { try await log.append([1, 2, 3], to: 0) }
      guard case .coding? = error else {
        Issue.record("\(String(describing: error))")
        return
      }
      #expect(try await log.append([4], to: 0) == 1)
      try await log.close()
    }
  }

  @Test("LOG-04: an error of the disk ends the partition, and opening the log again goes on")
  func failingDisk() async throws {
    let disk = SimulatedDisk { call, number in call == "sync" && number > 12 ? .error(EIO) : nil }
    let log = try LogRun.open(on: disk)
    var acknowledged = 0
    var failure: LogError?
    while failure == nil {
      do throws(LogError) {
        acknowledged = try await log.append([LogRun.entry(acknowledged + 1)], to: 0)
      } catch {
        failure = error
      }
    }
    // Whether it is on the medium is not known. Who comes later is told why.
    guard case .unacknowledged(_, 0)? = failure else {
      Issue.record("\(String(describing: failure))")
      return
    }
    let later = await #expect(throws: LogError.self) { try await log.append(["later"], to: 0) }
    guard case .files(_, .system)? = later else {
      Issue.record("\(String(describing: later))")
      return
    }
    await #expect(throws: LogError.self) { _ = try await log.entries(in: 0) }
    try? await log.close()
    var known = LogRun.Knowledge()
    known.acknowledged = acknowledged
    known.appended = acknowledged + 2
    await LogRun.check(disk.contents, against: known, "after an error")
  }

  @Test("LOG-03: after a failure of the power, what was acknowledged is there, and the record belongs to its entries")
  func crashPoints() async throws {
    let steps: [LogRun.Step] = [
      .append(2), .commit(1), .append(1), .reopen, .append(2), .commit(2), .commit(0), .append(1),
    ]
    let all = SimulatedDisk()
    var known = LogRun.Knowledge()
    try await LogRun.run(steps, on: all, &known)
    var random = SplitMix(seed: 17)
    for call in 1...all.calls.count + 1 {
      let disk = SimulatedDisk { _, number in number >= call ? .error(EIO) : nil }
      var known = LogRun.Knowledge()
      try? await LogRun.run(steps, on: disk, &known)
      for _ in 0..<rounds(500) {
        let contents = disk.contents(afterPowerFailure: { Int.random(in: 0..<$0, using: &random) })
        await LogRun.check(contents, against: known, "call \(call)")
      }
    }
  }
}

/// A workload on a log in files on a simulated disk, and what must hold after it has been interrupted.
private enum LogRun {
  enum Step {
    case append(Int)
    /// Commits so many entries behind the newest one.
    case commit(Int)
    case reopen
  }

  /// What the program knew when it ended.
  struct Knowledge {
    var appended = 0
    var acknowledged = 0
    /// The rows that a record may have: those of the last commit that was acknowledged, and of one that was tried.
    var rows: [[UInt8]] = [[]]
  }

  static func entry(_ number: Int) -> String { "entry \(number)" }

  static func open(on disk: SimulatedDisk) throws(LogError) -> FileLog<String> {
    var setup = JournalSetup()
    setup.plan.segmentSize = 250
    setup.clock = .numbered(disk)
    return try FileLog(at: "log", partitions: nil, coding: .codable, setup, on: disk)
  }

  static func run(_ steps: [Step], on disk: SimulatedDisk, _ known: inout Knowledge) async throws(LogError) {
    var log = try open(on: disk)
    var revision = LogRevision.none
    for step in steps {
      do throws(LogError) {
        switch step {
        case .append(let count):
          let entries = (1...count).map { entry(known.appended + $0) }
          known.appended += count
          known.acknowledged = try await log.append(entries, to: 0)
        case .commit(let behind):
          let offset = known.acknowledged - behind
          let rows = [UInt8(offset), UInt8(revision.number)]
          known.rows.append(rows)
          revision = try await log.commit(rows, at: offset, to: 0, replacing: revision)
          known.rows = [rows]
        case .reopen:
          try await log.close()
          log = try open(on: disk)
          revision = try await log.committed(0).revision
        }
      } catch {
        try? await log.close()
        throw error
      }
    }
    try await log.close()
  }

  static func check(
    _ contents: [String: [UInt8]],
    against known: Knowledge,
    _ comment: @autoclosure () -> Comment
  ) async {
    do {
      let log = try open(on: SimulatedDisk(contents))
      let entries = try await log.entries(in: 0)
      let record = try await log.committed(0)
      let isPrefix = entries == entries.indices.map { entry($0 + 1) }
      let isComplete = entries.count >= known.acknowledged && entries.count <= known.appended
      let isRecord =
        known.rows.contains(record.rows) && record.offset <= entries.count
        && record.rows.first.map { Int($0) == record.offset } ?? true
      #expect(isPrefix && isComplete && isRecord, "\(entries) \(record) \(known): \(comment().rawValue)")
      // It goes on.
      let next = try await log.append([entry(entries.count + 1)], to: 0)
      #expect(next == entries.count + 1)
      try await log.commit([9], at: next, to: 0, replacing: record.revision)
      try await log.close()
    } catch {
      Issue.record("\(error) \(known): \(comment().rawValue)")
    }
  }
}
