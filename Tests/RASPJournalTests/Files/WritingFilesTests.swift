import Aggregate
import Foundation
import JournalTestSupport
import Streams
import TestSupport
import Testing

@testable import RASPJournal

@Suite("Writing a file")
struct WritingFilesTests {
  private let old: [UInt8] = [1, 2, 3]
  private let stamp = FileStamp(salt: 1, wallTime: 2, identity: 3)

  private func write(on disk: SimulatedDisk) throws(JournalError) {
    try Recording<Total>.small.write(to: "a.rasp", coding: .byHand, stamp: stamp, batchLimit: 64, on: disk)
  }

  @Test("FILE-06: beside the file, synced, renamed, and the folder synced, in this order")
  func order() throws {
    let disk = SimulatedDisk(["a.rasp": old])
    try write(on: disk)
    #expect(disk.calls.first == "create")
    #expect(disk.calls.suffix(4) == ["sync", "close", "rename", "syncFolder"])
    #expect(disk.contents.keys.sorted() == ["a.rasp"])
    #expect(disk.openCount == 0)
  }

  @Test(
    "an error at each call: the path, nothing left over, and what was there before",
    arguments: [ENOSPC, EIO, EDQUOT]
  )
  func errors(code: Int32) throws {
    let complete = SimulatedDisk(["a.rasp": old])
    try write(on: complete)
    for failing in 1...complete.calls.count {
      let disk = SimulatedDisk(["a.rasp": old]) { _, number in number == failing ? .error(code) : nil }
      let error = #expect(throws: JournalError.self) { try write(on: disk) }
      guard case .system("a.rasp", let call, code)? = error else {
        Issue.record("another error: \(String(describing: error))")
        continue
      }
      #expect(disk.calls.contains(call))
      // Only the last call comes when the new file is in its place.
      #expect(disk.contents == (call == "syncFolder" ? complete.contents : ["a.rasp": old]))
      #expect(disk.openCount == 0)
    }
  }

  @Test("calls that are interrupted, and that do less than they were asked for, lose nothing")
  func shortWrites() throws {
    let complete = SimulatedDisk()
    try write(on: complete)
    let disk = SimulatedDisk { call, number in
      guard call == "write" || call == "read" else { return nil }
      return number % 3 == 0 ? .error(EINTR) : .short(1 + number % 7)
    }
    try write(on: disk)
    #expect(disk.contents == complete.contents)
    let read = try Recording<Total>(contentsOf: "a.rasp", coding: .byHand, on: disk)
    #expect(Content(read) == Content(.small))
  }

  @Test("a call that writes nothing and gives no error does not go on for ever")
  func nothing() {
    let disk = SimulatedDisk { call, _ in call == "write" ? .short(0) : nil }
    #expect(throws: JournalError.self) { try write(on: disk) }
    #expect(disk.contents.isEmpty)
  }

  @Test("FILE-06: an error at each call of reading: the path, and the file is closed")
  func reading() throws {
    let file = SimulatedDisk()
    try write(on: file)
    let complete = SimulatedDisk(file.contents)
    _ = try Recording<Total>(contentsOf: "a.rasp", coding: .byHand, on: complete)
    // The last call closes the file, when everything has been read.
    for failing in 1..<complete.calls.count {
      let disk = SimulatedDisk(file.contents) { _, number in number == failing ? .error(EIO) : nil }
      let error = #expect(throws: JournalError.self) {
        try Recording<Total>(contentsOf: "a.rasp", coding: .byHand, on: disk)
      }
      guard case .system("a.rasp", _, EIO)? = error else {
        Issue.record("another error: \(String(describing: error))")
        continue
      }
      #expect(disk.openCount == 0)
    }
  }

  @Test("a value that cannot be written leaves nothing, and names the event")
  func values() {
    let disk = SimulatedDisk(["a.rasp": old])
    let coding = RecordingCoding<Total>(
      states: .byHand,
      events: Coding(version: 4, named: "Sum") { event, _ in
        if case .word = event { throw TestError(code: 9) }
      } decode: { _ in
        .add(0)
      }
    )
    let error = #expect(throws: JournalError.self) {
      try Recording<Total>.small.write(to: "a.rasp", coding: coding, stamp: stamp, batchLimit: 1, on: disk)
    }
    #expect(error?.description == "a.rasp: event 2: Sum, version 4: TestError(code: 9) Nothing of it was written.")
    #expect(disk.contents == ["a.rasp": old])
    #expect(disk.openCount == 0)
  }
}
