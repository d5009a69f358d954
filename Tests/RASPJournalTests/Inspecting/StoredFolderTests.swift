import JournalTestSupport
import TestSupport
import Testing

@testable import RASPJournal

@Suite("Files without the types of their values")
struct StoredFolderTests {
  /// The files of a journal with several segments and snapshots, whose newest segment has no end.
  private let files: [String: [UInt8]]
  private static let count = 11

  init() throws {
    var plan = StoreRun.smallPlan
    plan.smallSegmentSize = 0
    let disk = SimulatedDisk()
    let store = try StoreRun([], plan: plan).open(on: disk)
    for number in 1...Self.count {
      try store.append(StoreRun.event(number), cause: .unknown, time: Int64(number))
      try store.write()
    }
    files = disk.contents
    try #require(files.keys.filter { $0.hasSuffix(".events") }.count > 2)
    try #require(files.keys.contains { $0.hasSuffix(".state") })
  }

  private func problems(_ files: [String: [UInt8]]) throws -> [StoredFolder.Problem] {
    try StoredFolder.all(at: "j", on: SimulatedDisk(files)).flatMap { $0.verify().problems }
  }

  @Test("all events are there, in their order, with their types and bytes")
  func values() throws {
    let folders = try StoredFolder.all(at: "j", on: SimulatedDisk(files))
    #expect(folders.count == 1)
    var values: [StoredFile.Value] = []
    for file in folders.flatMap(\.files) where file.content == .segment {
      let summary = file.read { values.append($0) }
      #expect(summary.failure == nil)
    }
    #expect(values.map(\.number) == (1...Self.count).map { $0 })
    #expect(Set(values.map(\.type.name)) == ["TotalEvent"])
    let decoder = Coding<TotalEvent>.byHand
    for (index, value) in values.enumerated() {
      var reader = ValueDecoder(decoder)
      var events: [TotalEvent] = []
      try value.payload.withUnsafeBytes { bytes in try reader.decode(bytes, of: value.type) { events.append($0) } }
      #expect(events == [StoreRun.event(index + 1)])
    }
    #expect(try problems(files).isEmpty)
  }

  @Test("a changed bit is found wherever it is, and in the file that has it")
  func bits() throws {
    for (path, bytes) in files where !path.hasSuffix("lock") {
      // All places in a release build, and some in a debug build.
      let step = max(1, bytes.count / rounds(bytes.count))
      for place in stride(from: 0, to: bytes.count, by: step) {
        var damaged = files
        damaged[path]?[place] ^= 1 << UInt8(place % 8)
        let found = try problems(damaged)
        #expect(found.contains { $0.path == path }, "byte \(place) of \(path)")
      }
    }
  }

  @Test("a segment that is missing or doubled is found")
  func segments() throws {
    let segments = files.keys.filter { $0.hasSuffix(".events") }.sorted()
    var missing = files
    missing[segments[1]] = nil
    #expect(try problems(missing).map(\.path) == [segments[2]])

    var doubled = files
    doubled[segments[2]] = files[segments[1]]
    #expect(try problems(doubled).contains { $0.path == segments[2] })
  }

  @Test("a snapshot or an older segment that is too short is found")
  func short() throws {
    for (path, bytes) in files
    where !path.hasSuffix("lock") && path != files.keys.filter({ $0.hasSuffix(".events") }).max() {
      var short = files
      short[path] = bytes.dropLast(1)
      #expect(try !problems(short).isEmpty)
      short[path] = Array(bytes.prefix(64))
      #expect(try !problems(short).isEmpty)
    }
  }

  @Test("partitions of a log are folders of their own, in the order of their numbers")
  func partitions() throws {
    var log: [String: [UInt8]] = [:]
    for index in [0, 2, 10] {
      for (path, bytes) in files { log[path.replacing("j/", with: "j/\(index)-of-11/", maxReplacements: 1)] = bytes }
    }
    let folders = try StoredFolder.all(at: "j", on: SimulatedDisk(log))
    #expect(folders.map(\.path) == ["j/0-of-11", "j/2-of-11", "j/10-of-11"])
    #expect(folders.allSatisfy { $0.verify().problems.isEmpty })
    #expect(try StoredFolder.all(at: "j", on: SimulatedDisk(["j/other": [1]])).isEmpty)
  }
}
