import Aggregate
import Foundation
import JournalTestSupport
import RASPTesting
import Streams
import TestSupport
import Testing

@testable import RASPJournal

@Suite("A journal that is only read")
struct JournalReaderTests {
  private func read(_ disk: any FileSystem, onPoison poison: PoisonPolicy = .stop) throws(JournalError)
    -> JournalReader<Total>
  {
    try JournalReader(
      JournalFolder(path: "j", system: disk),
      startingWith: Total(),
      coding: .byHand,
      onPoison: poison
    )
  }

  /// A disk of which a reader may change nothing.
  private func sealed(_ contents: [String: [UInt8]]) -> any FileSystem {
    WatchedDisk(SimulatedDisk(contents)) { call, path in Issue.record("\(call) of \(path)") }
  }

  @Test("JRN-49: whatever a process has left, a reader finds what the next writer finds, and changes nothing")
  func sameAsWriter() throws {
    var plan = StoreRun.smallPlan
    plan.smallSegmentSize = 0
    let run = StoreRun(
      [.append(3), .write, .append(2), .write, .reopen, .append(4), .flush, .append(2), .write],
      retention: .newest(3),
      plan: plan
    )
    let all = SimulatedDisk()
    var known = StoreRun.Knowledge()
    try run.run(on: all, &known)
    for call in 1...all.calls.count + 1 {
      let disk = SimulatedDisk { _, number in number >= call ? .error(EIO) : nil }
      try? run.run(on: disk, &known)
      let contents = disk.contents
      let reader = try read(sealed(contents))
      let store = try run.open(on: SimulatedDisk(contents))
      #expect(reader.recovery.event == store.newest && reader.state == store.state, "call \(call)")
      #expect(reader.recovery.cutBytes == store.recovery.cutBytes)
      if store.newest > 0 { #expect(try reader.state(at: .event(store.newest)) == store.state) }
    }
  }

  @Test("JRN-49: it ends with the events that were there, and tells where each stands")
  func events() async throws {
    let disk = SimulatedDisk()
    let journal = try Journal(on: disk)
    let aggregator = try Aggregator(continuing: journal)
    aggregator.send(1...25)
    try await journal.flush()
    // The journal is open, and its folder locked.
    let reader = try read(disk)
    #expect(reader.state == StoreRun.state(after: 25))
    #expect(try reader.state(at: .event(11)) == StoreRun.state(after: 11))
    aggregator.send(26...30)
    try await journal.flush()
    var numbers: [Int] = []
    for try await entry in reader.events(after: 20) { numbers.append(entry.number) }
    #expect(numbers == [21, 22, 23, 24, 25])
    try await journal.close()
  }

  @Test("JRN-49: beside a writer, it always finds a prefix")
  func besideWriter() async throws {
    let disk = SimulatedDisk()
    let journal = try Journal(on: disk) { setup in
      setup.retention = .sinceSnapshots
      setup.plan.smallSegmentSize = 0
    }
    let aggregator = try Aggregator(continuing: journal)
    let hasEnded = Flag()
    let writer = Task {
      for number in 1...rounds(20_000) {
        aggregator.send(number...number)
        if number % 7 == 0 { try await journal.flush() }
      }
      hasEnded.raise()
    }
    var newest = 0
    repeat {
      let reader = try read(disk)
      #expect(reader.recovery.event >= newest && reader.state == StoreRun.state(after: reader.recovery.event))
      newest = reader.recovery.event
      await Task.yield()
    } while !hasEnded.isRaised
    try await writer.value
    try await journal.close()
    #expect(try read(sealed(disk.contents)).recovery.event == rounds(20_000))
  }

  @Test("JRN-49: damage and a copy that is too short are refused as ever, and so is what is not there")
  func refused() throws {
    let disk = SimulatedDisk()
    var known = StoreRun.Knowledge()
    try StoreRun([.append(3), .write]).run(on: disk, &known)
    let name = "j/00000000000000000001.events"
    let bytes = try #require(disk.contents[name])
    for length in bytes.indices {
      let copy = sealed(
        disk.contents.filter { $0.key.hasSuffix(".closed") }.merging([name: Array(bytes[..<length])]) { $1 }
      )
      #expect(throws: JournalError.self) { try read(copy) }
    }
    let error = #expect(throws: JournalError.self) {
      try JournalReader(at: "/tmp/there is no such folder", startingWith: Total(), coding: .byHand)
    }
    guard case .system(_, _, ENOENT)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test("JRN-49: in a folder of the machine that may not be written, no file and no time is changed")
  func readOnlyFolder() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "RASPJournalTests-\(UUID().uuidString)").path
    defer {
      _ = chmod(folder, 0o700)
      try? FileManager.default.removeItem(atPath: folder)
    }
    let journal = try Journal(at: folder, startingWith: Total(), coding: .byHand)
    let aggregator = try Aggregator(continuing: journal)
    aggregator.send(1...5)
    try await journal.flush()
    // As the process leaves it that is killed.
    let copies = FileManager.default.temporaryDirectory.appending(path: "RASPJournalTests-\(UUID().uuidString)").path
    try FileManager.default.copyItem(atPath: folder, toPath: copies)
    defer {
      _ = chmod(copies, 0o700)
      try? FileManager.default.removeItem(atPath: copies)
    }
    try await journal.close()
    for path in [folder, copies] {
      #expect(chmod(path, 0o500) == 0)
      let before = try Picture(of: path)
      let reader = try JournalReader(at: path, startingWith: Total(), coding: .byHand)
      #expect(reader.state == StoreRun.state(after: 5))
      var count = 0
      for try await _ in reader.events(after: 0) { count += 1 }
      #expect(count == 5)
      #expect(try Picture(of: path) == before)
    }
  }
}

/// All that a reader could change in a folder.
private struct Picture: Equatable {
  private var files: [String: Data] = [:]
  private var times: [String: Date] = [:]

  init(of folder: String) throws {
    let manager = FileManager.default
    for name in try manager.contentsOfDirectory(atPath: folder) + ["."] {
      let path = "\(folder)/\(name)"
      if name != "." { files[name] = try Data(contentsOf: URL(filePath: path)) }
      times[name] = try manager.attributesOfItem(atPath: path)[.modificationDate] as? Date
    }
  }
}
