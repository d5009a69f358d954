import JournalTestSupport
import TestSupport
import Testing

@testable import RASPJournal

@Suite("Snapshots that cannot be used")
struct UnusableSnapshotTests {
  private func open(
    _ disk: SimulatedDisk,
    states: Coding<Total> = .byHand,
    keeping retention: JournalRetention = .sinceSnapshots
  ) throws(JournalError) -> JournalStore<Total> {
    try JournalStore(
      JournalFolder(path: "j", system: disk),
      startingWith: Total(),
      coding: RecordingCoding(states: states, events: .byHand),
      JournalSetup(retention: retention, plan: StoreRun.smallPlan, clock: .numbered(disk))
    )
  }

  private func append(_ count: Int, to store: JournalStore<Total>) throws {
    for _ in 0..<count {
      try store.append(StoreRun.event(store.newest + 1), cause: .unknown, time: 0)
      try store.write()
    }
  }

  private func listing(_ disk: SimulatedDisk) throws -> FolderListing {
    try JournalFolder(path: "j", system: disk).listing()
  }

  @Test("a state that is written and cannot be read again is no snapshot, and no event is deleted on its strength")
  func unreadable() throws {
    let disk = SimulatedDisk()
    let states = Coding<Total>(version: 1) { state, bytes in
      bytes.append(state.sum)
    } decode: { _ in
      throw TestError(code: 1)
    }
    let store = try open(disk, states: states)
    try append(20, to: store)
    guard case .unwritable("j/00000000000000000018.state", nil, _)? = store.snapshotFailure else {
      Issue.record("\(String(describing: store.snapshotFailure))")
      return
    }
    try store.close()
    store.abandon()
    #expect(try listing(disk).snapshots == [])
    #expect(try open(disk, states: states).state == StoreRun.state(after: 20))
  }

  @Test("a state that cannot be written is tried again later, and the events go on")
  func unwritable() throws {
    let disk = SimulatedDisk()
    let states = Coding<Total>(version: 1) { state, bytes in
      if state.words.count % 4 > 1 { throw TestError(code: 1) }
      _ = try Coding<Total>.byHand.encode(state, &bytes)
    } decode: { bytes in
      try Coding<Total>.byHand.decoders.values.first?.read(&bytes) ?? Total()
    }
    for retention in [JournalRetention.everything, .sinceSnapshots] {
      let store = try open(disk, states: states, keeping: retention)
      let first = store.newest
      var failures: [Bool] = []
      for _ in 0..<8 {
        try append(3, to: store)
        failures.append(store.snapshotFailure != nil)
      }
      #expect(failures == [false, true, true, false, false, true, true, false])
      try store.close()
      store.abandon()
      let restored = try open(disk, states: states, keeping: retention)
      #expect(restored.newest == first + 24 && restored.state == StoreRun.state(after: first + 24))
      restored.abandon()
    }
  }

  @Test("a damaged snapshot is none of the two that are kept, and goes when there are two whole ones")
  func damaged() throws {
    let disk = SimulatedDisk()
    let store = try open(disk)
    try append(10, to: store)
    store.abandon()
    #expect(try listing(disk).snapshots == [6, 9])
    let damaged = SimulatedDisk(disk.contents.merging(["j/00000000000000000009.state": [1, 2, 3]]) { $1 })
    let next = try open(damaged)
    #expect(next.recovery.snapshot == 6 && next.recovery.ignored.map(\.event) == [9])
    try append(1, to: next)
    #expect(try listing(damaged).snapshots == [6, 11])
    #expect(try #require(listing(damaged).segments.first) <= 6)
    // So the older one is as good as the newer one.
    try next.close()
    let newer = "j/00000000000000000011.state"
    let restored = try open(SimulatedDisk(damaged.contents.merging([newer: []]) { $1 }))
    #expect(restored.recovery.snapshot == 6 && restored.state == StoreRun.state(after: 11))
  }

  @Test("a snapshot of another journal is not used, shows nothing, and is left as it is", arguments: [5, 10, 1_000])
  func foreign(event: Int) throws {
    let disk = SimulatedDisk()
    let store = try open(disk)
    try append(10, to: store)
    store.abandon()
    let folder = JournalFolder(path: "j", system: disk)
    let stamp = FileStamp(salt: 1, wallTime: 0, identity: 43)
    _ = try SnapshotFile.write(Total(sum: -1), after: event, coding: .byHand, stamp: stamp, in: folder)
    let before = disk.contents
    let report = try Journal<Total>.repair(folder, startingWith: Total(), coding: .byHand)
    #expect(report.event == 10 && report.cutBytes == 0 && report.ignored.map(\.event) == [event])
    #expect(report.ignored.first?.reason.description.contains("belongs to another journal") == true)
    #expect(disk.contents == before)
    #expect(try folder.state(at: .event(10), startingWith: Total(), coding: .byHand, written: 10).sum == 37)
    let next = try open(disk)
    #expect(next.state == StoreRun.state(after: 10))
    try append(20, to: next)
    try next.close()
    next.abandon()
    #expect(try open(disk).state == StoreRun.state(after: 30))
    #expect(disk.contents[folder.snapshot(after: event)] == before[folder.snapshot(after: event)])
  }

  @Test("an older version of the state is converted if the events before it are gone, and folded again otherwise")
  func olderVersion() throws {
    let converted = Coding<Total>(version: 2) { state, bytes in
      _ = try Coding<Total>.byHand.encode(state, &bytes)
    } decode: { bytes in
      try Coding<Total>.byHand.decoders.values.first?.read(&bytes) ?? Total()
    }
    .reading(version: 1, with: .byHand) { [Total(sum: $0.sum, words: $0.words + ["converted"])] }
    for retention in [JournalRetention.everything, .sinceSnapshots] {
      let disk = SimulatedDisk()
      let store = try open(disk, keeping: retention)
      try append(20, to: store)
      try store.close()
      store.abandon()
      let next = try open(disk, states: converted, keeping: retention)
      let isConverted = retention != .everything
      #expect(next.state.words.contains("converted") == isConverted)
      #expect(next.state.sum == StoreRun.state(after: 20).sum)
      #expect(next.recovery.snapshot == (isConverted ? 18 : 0))
      #expect(next.recovery.ignored.count == (isConverted ? 0 : 2))
      try append(6, to: next)
      next.abandon()
      #expect(try open(disk, states: converted, keeping: retention).state.words.count == (isConverted ? 9 : 8))
    }
  }

  @Test("the progress begins behind the snapshot")
  func progress() throws {
    let disk = SimulatedDisk()
    let store = try open(disk, keeping: .everything)
    try append(11, to: store)
    store.abandon()
    var numbers: [Int] = []
    let restored = try JournalFolder(path: "j", system: disk).restored(startingWith: Total(), coding: .byHand) {
      numbers.append($0)
    }
    #expect(restored.recovery.report.snapshot == 9)
    #expect(Set(numbers) == [10, 11] && numbers == numbers.sorted())
  }
}

extension Coding.Decoder {
  /// The first value of some bytes.
  fileprivate func read(_ bytes: inout ByteReader) throws -> Value? {
    switch self {
    case .one(let decode): try decode(&bytes)
    case .several(let decode): try decode(&bytes).first
    }
  }
}
