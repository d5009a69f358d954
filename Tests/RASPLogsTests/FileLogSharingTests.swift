import Foundation
import JournalTestSupport
import RASPTesting
import Streams
import TestSupport
import Testing

@testable import RASPJournal
@testable import RASPLogs

@Suite("Callers that share a log in files", .endsInTime)
struct FileLogSharingTests {
  /// A disk whose writes wait while a test looks at what happens meanwhile.
  private struct Stall {
    private let gate = Gate(patience: longestWait)
    private let hasBegun = Flag()
    private let isHeld = Flag()
    let disk: SimulatedDisk

    init() {
      disk = SimulatedDisk { [gate, hasBegun, isHeld] call, _ in
        guard call == "write", hasBegun.isRaised else { return nil }
        isHeld.raise()
        gate.hold()
        return nil
      }
    }

    var holdsWriter: Bool { isHeld.isRaised }
    func begin() { hasBegun.raise() }
    func end() { gate.open() }
  }

  private func open(on disk: SimulatedDisk, partitions: Int = 1) throws(LogError) -> FileLog<String> {
    var setup = JournalSetup()
    setup.clock = .numbered(disk)
    return try FileLog(at: "log", partitions: partitions, coding: .codable, setup, on: disk)
  }

  // What each of several tasks does until the log is closed: what it returns was acknowledged.

  private func appendAll(_ entries: [String], to log: FileLog<String>) async -> [String] {
    var acknowledged: [String] = []
    for entry in entries {
      do throws(LogError) { try await log.append([entry], to: 0) } catch { break }
      acknowledged.append(entry)
    }
    return acknowledged
  }

  private func readAll(_ log: FileLog<String>) async -> [String] {
    do {
      for try await _ in log.entries(of: 0, after: 0) {}
    } catch {}
    return []
  }

  private func commitAll(_ log: FileLog<String>) async -> [String] {
    var revision = LogRevision.none
    while true {
      do throws(LogError) {
        revision = try await log.commit([1], at: 0, to: 1, replacing: revision)
      } catch {
        return []
      }
    }
  }

  private func closeSoon(_ log: FileLog<String>) async -> [String] {
    let subscription = log.assignment(of: "member").subscribe { _ in }
    #expect(await eventually { ((try? await log.newest(in: 0)) ?? 10) >= 10 })
    try? await log.close()
    subscription.cancel()
    return []
  }

  @Test("LOG-06: what many callers append while the log writes is written and synced at once")
  func groupCommit() async throws {
    let stall = Stall()
    let disk = stall.disk
    let log = try open(on: disk)
    // The segment is there.
    try await log.append(["first"], to: 0)
    let before = disk.calls.filter { $0 == "sync" }.count
    stall.begin()
    let first = Task { try await log.append(["held"], to: 0) }
    #expect(await eventually { stall.holdsWriter })
    let calls = (0..<200).map { number in Task { try await log.append(["\(number)"], to: 0) } }
    #expect(await eventually { log.threads[0].waitingCount == 200 })
    stall.end()
    var offsets: Set<Int> = [try await first.value]
    for call in calls { offsets.insert(try await call.value) }
    #expect(offsets == Set(2...202))
    #expect(disk.calls.filter { $0 == "sync" }.count == before + 2)
    try await log.close()
  }

  @Test("LOG-28: the commit of one partition does not hold the appends, the commits and the reads of another")
  func slowCommit() async throws {
    let gate = Gate(patience: longestWait)
    let isHeld = Flag()
    let disk = WatchedDisk(SimulatedDisk()) { call, path in
      // The record of partition 0.
      guard call == "sync", path.contains("0-of-2/.rasp-") else { return }
      isHeld.raise()
      gate.hold()
    }
    let log = try FileLog<String>(at: "log", partitions: 2, coding: .codable, JournalSetup(), on: disk)
    try await log.append(["a"], to: 0)
    let commit = Task { try await log.commit([1], at: 1, to: 0, replacing: .none) }
    #expect(await eventually { isHeld.isRaised })
    for number in 1...10 { #expect(try await log.append(["\(number)"], to: 1) == number) }
    try await log.commit([2], at: 10, to: 1, replacing: .none)
    #expect(try await log.committed(1).rows == [2])
    #expect(try await log.entries(in: 1) == (1...10).map(String.init))
    gate.open()
    let revision = try await commit.value
    #expect(try await log.committed(0).revision == revision)
    try await log.close()
  }

  @Test("LOG-28: a log of more partitions than threads has each entry in its own")
  func manyPartitions() async throws {
    let disk = SimulatedDisk()
    let log = try open(on: disk, partitions: 150)
    for partition in stride(from: 0, to: 150, by: 7) {
      try await log.append(["in \(partition)"], to: partition)
      try await log.commit([UInt8(partition)], at: 1, to: partition, replacing: .none)
    }
    try await log.close()
    let again = try open(on: disk, partitions: 150)
    for partition in 0..<150 {
      let isWritten = partition % 7 == 0
      #expect(try await again.entries(in: partition) == (isWritten ? ["in \(partition)"] : []))
      #expect(try await again.committed(partition).rows == (isWritten ? [UInt8(partition)] : []))
    }
    try await again.close()
  }

  @Test("LOG-04: the callers of a group whose sync fails are all told, and those of other partitions are not")
  func groupFailure() async throws {
    let fails = Lock(false)
    let disk = SimulatedDisk { call, _ in call == "sync" && fails.exchange(with: false) ? .error(EIO) : nil }
    let log = try open(on: disk, partitions: 2)
    try await log.append(["a"], to: 0)
    try await log.append(["a"], to: 1)
    fails.withLock { $0 = true }
    await #expect(throws: LogError.self) { try await log.append(["b"], to: 0) }
    for _ in 0..<2 {
      let error = await #expect(throws: LogError.self) { try await log.append(["c"], to: 0) }
      guard case .files(_, .system(_, _, EIO))? = error else {
        Issue.record("\(String(describing: error))")
        return
      }
    }
    let error = await #expect(throws: LogError.self) { try await log.newest(in: 0) }
    guard case .files? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(try await log.append(["b"], to: 1) == 2)
    #expect(try await log.entries(in: 1) == ["a", "b"])
    try? await log.close()
  }

  @Test("a record that cannot be read now can be read later, and entries go on")
  func unreadableRecord() async throws {
    let fails = Lock(false)
    let disk = SimulatedDisk { call, _ in call == "open" && fails.exchange(with: false) ? .error(EMFILE) : nil }
    let log = try open(on: disk)
    try await log.append(["a"], to: 0)
    let revision = try await log.commit([1, 2], at: 1, to: 0, replacing: .none)
    fails.withLock { $0 = true }
    await #expect(throws: LogError.self) { try await log.committed(0) }
    #expect(try await log.append(["b"], to: 0) == 2)
    #expect(try await log.committed(0) == LogRecord(rows: [1, 2], offset: 1, revision: revision))
    try await log.close()
  }

  @Test("LOG-08: who closes a log that is being closed waits until the folder is free")
  func closingTwice() async throws {
    let stall = Stall()
    let disk = stall.disk
    let log = try open(on: disk)
    try await log.append(["a"], to: 0)
    stall.begin()
    let first = Task { try await log.close() }
    #expect(await eventually { stall.holdsWriter })
    let hasReturned = Flag()
    let second = Task {
      try await log.close()
      hasReturned.raise()
    }
    let late = Task { try await log.append(["late"], to: 0) }
    for _ in 0..<1_000 { await Task.yield() }
    #expect(!hasReturned.isRaised)
    stall.end()
    try await first.value
    try await second.value
    let error = await #expect(throws: LogError.self) { try await late.value }
    guard case .closed? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    let again = try open(on: disk)
    #expect(try await again.entries(in: 0) == ["a"])
    try await again.close()
  }

  @Test("LOG-08: a call while the log is closed returns or throws, and nothing acknowledged is lost")
  func closingRaces() async throws {
    for _ in 0..<rounds(50) {
      let disk = SimulatedDisk()
      let log = try open(on: disk, partitions: 2)
      let acknowledged = await withTaskGroup(of: [String].self) { group in
        for caller in 0..<4 {
          group.addTask { await appendAll((0..<20).map { "\(caller) \($0)" }, to: log) }
        }
        group.addTask { await readAll(log) }
        group.addTask { await commitAll(log) }
        group.addTask { await closeSoon(log) }
        return await group.reduce(into: []) { $0 += $1 }
      }
      let again = try open(on: disk, partitions: 2)
      let entries = try await again.entries(in: 0)
      #expect(Set(acknowledged).subtracting(entries) == [])
      #expect(Set(entries).count == entries.count)
      try await again.close()
    }
  }

  @Test("the assignments of a log that was released end")
  func released() async throws {
    let hasEnded = Flag()
    var log: FileLog<String>? = try open(on: SimulatedDisk())
    let subscription = log?.assignment(of: "member").subscribe { _ in
    } onEnd: { _ in
      hasEnded.raise()
    }
    log = nil
    #expect(await eventually { hasEnded.isRaised })
    subscription?.cancel()
  }

  @Test("LOG-03: a log that is cut at any byte of its newest segment has a prefix, and goes on")
  func cutSegments() async throws {
    let disk = SimulatedDisk()
    let log = try open(on: disk)
    for number in 1...6 { try await log.append(["entry \(number)", "again \(number)"], to: 0) }
    let revision = try await log.commit([7], at: 5, to: 0, replacing: .none)
    // The process ends without closing.
    let contents = disk.contents
    let name = "log/0-of-1/00000000000000000001.events"
    let segment = try #require(contents[name])
    var counts: Set<Int> = []
    for length in segment.indices {
      var cut = contents
      cut[name] = Array(segment[..<length])
      let disk = SimulatedDisk(cut)
      do throws(LogError) {
        let log = try open(on: disk)
        let entries = try await log.entries(in: 0)
        // A batch is there as a whole, and what the record has is not missing.
        #expect(entries.count % 2 == 0 && entries.count >= 5, "cut at \(length)")
        #expect(entries == (1...6).flatMap { ["entry \($0)", "again \($0)"] }.prefix(entries.count).map(\.self))
        #expect(try await log.committed(0) == LogRecord(rows: [7], offset: 5, revision: revision))
        #expect(try await log.append(["next"], to: 0) == entries.count + 1)
        try await log.close()
        counts.insert(entries.count)
      } catch {
        guard case .files(_, .missing) = error else {
          Issue.record("cut at \(length): \(error)")
          return
        }
        #expect(disk.contents.filter { !$0.key.hasSuffix("lock") } == cut.filter { !$0.key.hasSuffix("lock") })
        counts.insert(-1)
      }
    }
    #expect(counts == [-1, 6, 8, 10])
    try await log.close()
  }

  @Test("LOG-03: a record that is cut at any byte counts as the one before it, or as none")
  func cutRecords() async throws {
    let disk = SimulatedDisk()
    let log = try open(on: disk)
    try await log.append(["a", "b", "c"], to: 0)
    let first = try await log.commit([1], at: 1, to: 0, replacing: .none)
    try await log.commit([2], at: 3, to: 0, replacing: first)
    let contents = disk.contents
    let names = contents.keys.filter { $0.hasSuffix(".state") }.sorted()
    #expect(names.count == 2)
    let bytes = try #require(contents[names[1]])
    for length in bytes.indices {
      var cut = contents
      cut[names[1]] = Array(bytes[..<length])
      let one = try open(on: SimulatedDisk(cut))
      #expect(try await one.committed(0) == LogRecord(rows: [1], offset: 1, revision: first), "cut at \(length)")
      #expect(try await one.newest(in: 0) == 3)
      try await one.close()
      cut[names[0]] = Array(bytes[..<length])
      let none = try open(on: SimulatedDisk(cut))
      #expect(try await none.committed(0) == .none, "cut at \(length)")
      #expect(try await none.newest(in: 0) == 3)
      try await none.commit([3], at: 3, to: 0, replacing: .none)
      try await none.close()
    }
    try await log.close()
  }
}
