import Aggregate
import Foundation
import JournalTestSupport
import RASPTesting
import Streams
import TestSupport
import Testing

@testable import RASPJournal

@Suite("A disk that stalls")
struct SlowDiskTests {
  @Test("large events are written while others are taken, so that they do not fill the memory")
  func largeEvents() throws {
    let disk = SimulatedDisk()
    let store = try StoreRun([], plan: SegmentPlan()).open(on: disk)
    let word = String(repeating: "x", count: 1 << 20)
    for _ in 0..<9 { try store.append(.word(word), cause: .unknown, time: 0) }
    #expect(try #require(disk.contents["j/00000000000000000001.events"]).count > 8 << 20)
    try store.close()
    store.abandon()
    #expect(try StoreRun([], plan: SegmentPlan()).open(on: disk).state.words == [String](repeating: word, count: 9))
  }

  @Test("with `wait` the fold waits, which is counted, and no event is lost")
  func waits() async throws {
    let gate = Gate(patience: longestWait)
    let disk = SimulatedDisk(writingAt: gate)
    let journal = try Journal(on: disk) { $0.capacity = 8 }
    let aggregator = try Aggregator(continuing: journal)
    await Threads.run {
      aggregator.send(1...100)
    } _: {
      // Opens when the sender waits.
      block { journal.stallCount > 0 }
      gate.open()
    }
    try await journal.close()
    let next = try Journal(on: disk)
    #expect(next.recovery.event == 100)
    try await next.close()
  }

  @Test("while the fold waits, other threads read the state")
  func reads() async throws {
    let gate = Gate(patience: longestWait)
    let disk = SimulatedDisk(writingAt: gate)
    let journal = try Journal(on: disk) { $0.capacity = 8 }
    let aggregator = try Aggregator(continuing: journal)
    await Threads.run {
      aggregator.send(1...20)
    } _: {
      block { journal.stallCount > 0 }
      let state = aggregator.snapshot
      #expect(state != StoreRun.state(after: 20))
      gate.open()
    }
    #expect(aggregator.snapshot == StoreRun.state(after: 20))
    try await journal.close()
  }

  @Test("with `stop` the journal ends with a prefix, visibly, and the aggregator goes on")
  func stops() async throws {
    let gate = Gate(patience: longestWait)
    let disk = SimulatedDisk(writingAt: gate)
    let journal = try Journal(on: disk) { setup in
      setup.capacity = 8
      setup.overload = .stop
    }
    let aggregator = try Aggregator(continuing: journal)
    aggregator.send(1...100)
    #expect(aggregator.snapshot == StoreRun.state(after: 100))
    gate.open()
    let error = await #expect(throws: JournalError.self) { try await journal.flush() }
    guard case .overloaded("j", 8)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    let next = try Journal(on: disk)
    #expect(next.recovery.event >= 8 && next.recovery.event < 100)
    #expect(try Aggregator(continuing: next).snapshot == StoreRun.state(after: next.recovery.event))
    try await next.close()
  }
}
