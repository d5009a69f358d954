import Foundation
import JournalTestSupport
import TestSupport
import Testing

@testable import RASPJournal

@Suite("A damaged journal")
struct DamagedJournalTests {
  private static let count = 11
  private let run: StoreRun
  /// The files after each of its events was flushed, and neither ended nor closed.
  private let files: [String: [UInt8]]
  private let newest: String

  init() throws {
    var plan = StoreRun.smallPlan
    plan.smallSegmentSize = 0
    run = StoreRun(
      [.append(3), .write, .append(2), .write, .append(1), .write, .append(3), .write, .append(2), .write],
      plan: plan
    )
    let disk = SimulatedDisk()
    let store = try run.open(on: disk)
    var known = 0
    for step in run.steps {
      switch step {
      case .append(let count):
        for _ in 0..<count {
          try store.append(StoreRun.event(store.newest + 1), cause: .unknown, time: 0)
        }
        known += count
      default: try store.write()
      }
    }
    files = disk.contents
    try #require(known == Self.count && files.keys.filter { $0.hasSuffix(".events") }.count > 2)
    newest = try #require(files.keys.filter { $0.hasSuffix(".events") }.max())
  }

  /// What becomes of a journal: the number of events, or the error.
  private func open(_ files: [String: [UInt8]], _ comment: @autoclosure () -> String = "") -> Result<Int, JournalError>
  {
    do throws(JournalError) {
      let store = try run.open(on: SimulatedDisk(files))
      if store.state != StoreRun.state(after: store.newest) { Issue.record("a state that never was: \(comment())") }
      return .success(store.newest)
    } catch {
      return .failure(error)
    }
  }

  @Test("cut at every byte: the newest segment opens as a prefix, as far as no snapshot shows that there was more")
  func cutNewest() throws {
    let bytes = try #require(files[newest])
    var counts: Set<Int> = []
    for length in 0...bytes.count {
      let found = try? open(files.merging([newest: Array(bytes[..<length])]) { $1 }, "\(length)").get()
      counts.insert(found ?? -1)
    }
    // Each batch, and nothing between.
    #expect(counts == [9, 11])
  }

  @Test("cut at every byte: a segment that is not the newest one is refused, unless a snapshot makes it needless")
  func cutOthers() throws {
    // That of the newest snapshot.
    let needed = "j/00000000000000000007.events"
    try #require(files[needed] != nil)
    for (name, bytes) in files where name.hasSuffix(".events") && name != newest {
      for length in bytes.indices {
        switch open(files.merging([name: Array(bytes[..<length])]) { $1 }, "\(name) \(length)") {
        case .success(let count): #expect(count == Self.count && name < needed)
        case .failure(let error):
          guard case .damaged(name, let offset, _, _) = error, offset <= length else {
            if case .notARecording(name, _) = error { continue }
            Issue.record("\(error)")
            continue
          }
        }
      }
    }
  }

  @Test("every bit changed: it is refused, or the batch that was written last is cut off; a wrong state never comes")
  func bits() throws {
    for (name, bytes) in files where name != "j/lock" {
      for index in bytes.indices {
        for bit in 0..<8 {
          var changed = bytes
          changed[index] ^= 1 << UInt8(bit)
          switch open(files.merging([name: changed]) { $1 }, "\(name), bit \(bit) of \(index)") {
          case .success(let count):
            #expect(count >= (name == newest ? Self.count - 2 : Self.count), "\(name), bit \(bit) of \(index)")
          case .failure: break
          }
        }
      }
    }
  }

  @Test("batches that are swapped, doubled, missing or of another journal are refused, or cut off with all behind them")
  func batches() throws {
    let other = StoreRun([.append(12), .write])
    let disk = SimulatedDisk()
    _ = try disk.create("moves the salt")
    var known = StoreRun.Knowledge()
    try other.run(on: disk, &known)
    let foreign = FilePieces(try #require(disk.contents["j/00000000000000000001.events"]))
    // One segment, without snapshots, of nine batches.
    var plain = SegmentPlan()
    plain.snapshotInterval = .max
    let run = StoreRun((1...9).flatMap { _ in [.append(1), .write] }, plan: plain)
    let plainDisk = SimulatedDisk()
    let store = try run.open(on: plainDisk)
    for _ in 0..<9 {
      try store.append(StoreRun.event(store.newest + 1), cause: .unknown, time: 0)
      try store.write()
    }
    let name = "j/00000000000000000001.events"
    let pieces = FilePieces(try #require(plainDisk.contents[name]))
    try #require(pieces.batches.count == 9)
    for index in 0..<9 {
      for change in 0..<4 {
        var changed = pieces
        switch change {
        case 0: changed.batches.remove(at: index)
        case 1: changed.batches.insert(pieces.batches[index], at: index)
        case 2: changed.batches.swapAt(index, (index + 1) % 9)
        default: changed.batches[index] = foreign.batches[0]
        }
        if changed == pieces { continue }
        do {
          let found = try run.open(on: SimulatedDisk([name: changed.bytes]))
          #expect(found.state == StoreRun.state(after: found.newest))
          // Only what was written last can be missed.
          #expect(found.newest >= 8, "change \(change) of \(index)")
        } catch {
          guard case .damaged(name, _, let event?, _) = error else {
            Issue.record("\(error)")
            continue
          }
          #expect(event <= index + 2)
        }
      }
    }
  }

  @Test("missing files: a segment between others, the one after the snapshot, and all of them")
  func missingFiles() {
    let segments = files.keys.filter { $0.hasSuffix(".events") }.sorted()
    let snapshots = files.keys.filter { $0.hasSuffix(".state") }
    for segment in segments {
      switch open(files.filter { $0.key != segment }) {
      // Nothing tells that there was a newest one.
      case .success(let count): #expect(count == (segment == newest ? 9 : Self.count))
      case .failure(.missing): break
      case .failure(let error): Issue.record("\(error)")
      }
    }
    // Without snapshots all segments are needed.
    for segment in segments.dropLast() {
      guard case .failure(.missing) = open(files.filter { $0.key != segment && !snapshots.contains($0.key) }) else {
        Issue.record("opened without \(segment)")
        continue
      }
    }
    #expect((try? open(files.filter { !snapshots.contains($0.key) }).get()) == Self.count)
    guard case .failure(.missing) = open(files.filter { !segments.contains($0.key) }) else {
      Issue.record("opened without segments")
      return
    }
  }

  @Test("a snapshot that is damaged is not used, and the recovery says so")
  func damagedSnapshots() throws {
    let snapshots = files.keys.filter { $0.hasSuffix(".state") }.sorted()
    let last = try #require(snapshots.last)
    let store = try run.open(on: SimulatedDisk(files.merging([last: [1, 2, 3]]) { $1 }))
    #expect(store.newest == Self.count && store.state == StoreRun.state(after: Self.count))
    #expect(store.recovery.ignored.count == 1)
    #expect(store.recovery.snapshot < Self.count)
  }

  @Test("a repair cuts off what is damaged and keeps it, and the journal goes on")
  func repair() throws {
    let folder = { (disk: SimulatedDisk) in JournalFolder(path: "j", system: disk) }
    for (name, bytes) in files where name.hasSuffix(".events") {
      for index in stride(from: 0, to: bytes.count, by: 3) {
        var changed = bytes
        changed[index] ^= 4
        let disk = SimulatedDisk(files.merging([name: changed]) { $1 })
        do {
          let report = try Journal<Total>.repair(folder(disk), startingWith: Total(), coding: .byHand)
          let store = try run.open(on: disk)
          #expect(
            store.newest == report.event && store.state == StoreRun.state(after: store.newest),
            "\(name) \(index)"
          )
          if store.newest < Self.count - 2 {
            #expect(disk.contents.keys.contains { $0.hasSuffix(".cut") }, "\(name) \(index)")
          }
          try store.append(StoreRun.event(store.newest + 1), cause: .unknown, time: 0)
          try store.close()
          store.abandon()
          #expect(try run.open(on: disk).newest == report.event + 1)
        } catch {
          // Both snapshots lie behind it, and what is before is gone.
          guard case .missing = error else {
            Issue.record("\(name) \(index): \(error)")
            continue
          }
        }
      }
    }
    let whole = SimulatedDisk(files)
    #expect(try Journal<Total>.repair(folder(whole), startingWith: Total(), coding: .byHand).event == Self.count)
    #expect(whole.contents == files.merging(["j/lock": []]) { $1 })
  }

  @Test("a repair cuts off what stands behind the end of a segment, and does not end it once more")
  func behindTheEnd() throws {
    for (name, bytes) in files where name.hasSuffix(".events") && name != newest {
      let disk = SimulatedDisk(files.merging([name: bytes + bytes.suffix(40)]) { $1 })
      let folder = JournalFolder(path: "j", system: disk)
      let report = try Journal<Total>.repair(folder, startingWith: Total(), coding: .byHand)
      let store = try run.open(on: disk)
      #expect(store.newest == report.event && store.state == StoreRun.state(after: store.newest), "\(name)")
      if report.cutBytes > 0 { #expect(disk.contents[name] == bytes, "\(name)") }
    }
  }

  @Test("random changes: nothing traps, nothing is read that is larger than the file, and no wrong state comes")
  func fuzz() throws {
    let names = files.keys.filter { $0 != "j/lock" }.sorted()
    for seed in 0..<rounds(50_000) {
      var random = SplitMix(seed: UInt64(seed))
      var changed = files
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let name = names.randomElement(using: &random) ?? newest
        changed[name]?.mutate(using: &random)
      }
      let disk = SimulatedDisk(changed)
      do throws(JournalError) {
        let store = try run.open(on: disk)
        if store.state != StoreRun.state(after: store.newest) { Issue.record("seed \(seed): a state that never was") }
      } catch {
        if case .system = error { Issue.record("seed \(seed): \(error)") }
      }
      #expect(disk.largestRead <= changed.values.reduce(0) { max($0, $1.count) } + 64)
      _ = try? Journal<Total>.repair(
        JournalFolder(path: "j", system: SimulatedDisk(changed)),
        startingWith: Total(),
        coding: .byHand
      )
    }
  }
}

extension [UInt8] {
  /// Changes, inserts, removes or repeats some bytes.
  fileprivate mutating func mutate(using random: inout SplitMix) {
    if isEmpty { return }
    let start = Int.random(in: indices, using: &random)
    let part = start..<Swift.min(count, start + .random(in: 1...40, using: &random))
    switch Int.random(in: 0..<6, using: &random) {
    case 0: self[start] = .random(in: .min ... .max, using: &random)
    case 1: replaceSubrange(part, with: part.map { _ in .random(in: .min ... .max, using: &random) })
    case 2: removeSubrange(part)
    case 3: insert(contentsOf: self[part], at: .random(in: 0...count, using: &random))
    case 4: replaceSubrange(part, with: part.map { _ in [0, 0xFF, 0x7F, 0x80].randomElement(using: &random) ?? 0 })
    default: removeSubrange(start...)
    }
  }
}
