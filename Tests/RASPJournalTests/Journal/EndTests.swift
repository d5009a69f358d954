import JournalTestSupport
import RASPTesting
import Streams
import TestSupport
import Testing

@testable import Aggregate
@testable import RASPJournal

@Suite("The end of a journal")
struct EndTests {
  @Test("close in a task that is cancelled returns when everything was written")
  func cancelledClose() async throws {
    let gate = Gate(patience: longestWait)
    let disk = SimulatedDisk(writingAt: gate)
    let journal = try Journal(on: disk)
    let aggregator = try Aggregator(continuing: journal)
    aggregator.send(1...20)
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await journal.close()
      return journal.writtenCount
    }
    #expect(await eventually { !journal.owner.writer.channel.takesEvents })
    gate.open()
    #expect(try await task.value == 20)
    let next = try Journal(on: disk)
    #expect(next.recovery.event == 20)
    try await next.close()
  }

  @Test("flush in a task that is cancelled is no receipt")
  func cancelledFlush() async throws {
    let gate = Gate(patience: longestWait)
    let journal = try Journal(on: SimulatedDisk(writingAt: gate))
    let aggregator = try Aggregator(continuing: journal)
    aggregator.send(1...20)
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await journal.flush()
    }
    let error = await #expect(throws: JournalError.self) { try await task.value }
    guard case .cancelled("j")? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    gate.open()
    try await journal.close()
  }

  @Test("with `stop`, the reason is there when events are refused, and what is refused then is no stall")
  func overload() async throws {
    let gate = Gate(patience: longestWait)
    let journal = try Journal(on: SimulatedDisk(writingAt: gate)) { setup in
      setup.capacity = 8
      setup.overload = .stop
    }
    let aggregator = try Aggregator(continuing: journal)
    aggregator.send(1...100)
    // The disk has not written them.
    guard case .overloaded("j", 8)? = journal.failure else {
      Issue.record("\(String(describing: journal.failure))")
      return
    }
    #expect(journal.stallCount == 1)
    let error = #expect(throws: JournalError.self) { try Aggregator(continuing: journal) }
    guard case .overloaded? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    gate.open()
    await #expect(throws: JournalError.self) { try await journal.close() }
    let other = #expect(throws: JournalError.self) { try Aggregator(continuing: journal) }
    guard case .overloaded? = other else {
      Issue.record("\(String(describing: other))")
      return
    }
  }

  @Test("while it closes, another aggregator is told that it is closed")
  func closing() async throws {
    let gate = Gate(patience: longestWait)
    let journal = try Journal(on: SimulatedDisk(writingAt: gate))
    let aggregator = try Aggregator(continuing: journal)
    aggregator.send(1...20)
    let task = Task { try await journal.close() }
    #expect(await eventually { !journal.owner.writer.channel.takesEvents })
    let error = #expect(throws: JournalError.self) { try Aggregator(continuing: journal) }
    guard case .closed? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    gate.open()
    try await task.value
  }

  @Test("the journal does not keep the state of an aggregator that was released")
  func releasedAggregator() async throws {
    let journal = try Journal(on: SimulatedDisk())
    weak var core: AnyObject?
    do {
      let aggregator = try Aggregator(continuing: journal)
      aggregator.send(1...1)
      core = aggregator.core
      #expect(core != nil)
    }
    #expect(await eventually { core == nil })
    try await journal.close()
    #expect(journal.writtenCount == 1)
  }

  @Test("a receipt is given as soon as its events are on the medium, also while later ones are waited for")
  func receipts() async {
    let progress = JournalProgress(at: 3)
    let (early, late) = (Flag(), Flag())
    async let first: Void = progress.wait(for: .durable(5)) { early.raise() }
    async let second: Void = progress.wait(for: .durable(100)) { late.raise() }
    #expect(await eventually { early.isRaised && late.isRaised })
    #expect(!progress.awaitsSync(of: 4..<5))
    #expect(progress.awaitsSync(of: 4..<11))
    #expect(!progress.awaitsSync(of: 6..<11))
    #expect(progress.awaitsSync(of: 6..<101))
    progress.end(nil)
    _ = await (first, second)
  }

  @Test("the times of events follow a time of day that was set, and never go back")
  func timeOfDay() async throws {
    let disk = SimulatedDisk()
    let year: UInt64 = 31_536_000 * 1_000_000_000
    let time = Box<UInt64>(1_700_000_000_000_000_000)
    let journal = try Journal(on: disk) { setup in
      setup.clock = JournalClock {
        { .zero }
      } stamp: {
        FileStamp(salt: 1, wallTime: time.value ?? 0, identity: 42)
      }
    }
    let aggregator = try Aggregator(continuing: journal)
    for offset in [0, year, 0] {
      time.value = 1_700_000_000_000_000_000 + offset
      aggregator.send(.add(1))
      try await journal.flush()
    }
    try await journal.close()
    var times: [Duration] = []
    for try await entry in journal.events(after: 0) { times.append(entry.time) }
    #expect(times == times.sorted() && times.count == 3)
    #expect(times[0] < .seconds(1_700_000_100) && times[1] > .seconds(1_731_000_000))
  }
}
