import JournalTestSupport
import RASPKeyed
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

  @Test("JRN-55: behind a closed journal no event is accepted, and the state stays readable")
  func behindTheEnd() async throws {
    let disk = SimulatedDisk()
    let journal = try Journal(on: disk)
    let aggregator = try Aggregator(continuing: journal)
    aggregator.send(1...3)
    let hasEnded = Flag()
    let token = aggregator.events.subscribe { _ in
    } onEnd: { _ in
      hasEnded.raise()
    }
    try await journal.close()
    #expect(hasEnded.isRaised)
    #expect(!aggregator.send(.add(1)))
    #expect(await aggregator.submit(.add(1)) == .finished)
    #expect(aggregator.snapshot == StoreRun.state(after: 3))
    let next = try Journal(on: disk)
    #expect(try Aggregator(continuing: next).snapshot == StoreRun.state(after: 3))
    try await next.close()
    token.cancel()
  }

  @Test("JRN-55: behind a closed journal of rows no step is accepted, and the rows stay readable")
  func rowsBehindTheEnd() async throws {
    let journal = try Journal(at: "j", startingWith: Accounts(), coding: .codable, JournalSetup(), on: SimulatedDisk())
    let accounts = try KeyedAggregator(continuing: journal)
    accounts.send(Booking(account: "a", amount: 2))
    try await journal.close()
    let rows = accounts.rows()
    #expect(!accounts.send(Booking(account: "a", amount: 1)))
    #expect(try await accounts.submit(Booking(account: "b", amount: 1)) == .finished)
    accounts.insert([(key: "c", value: Account(sum: 5))])
    accounts.remove("a")
    #expect(accounts.rows() == rows && rows.mapValues(\.sum) == ["a": 2])
    #expect(journal.writtenCount == 1)
  }

  @Test("JRN-55: what waits behind an event that is being folded is written, also if two tasks close the journal")
  func waitingEvents() async throws {
    let (gate, isHeld) = (Gate(patience: longestWait), Flag())
    let disk = SimulatedDisk()
    let journal = try Journal(on: disk)
    let aggregator = try Aggregator(continuing: journal)
    let token = aggregator.select(\.sum).dropFirst().subscribe { _ in
      isHeld.raise()
      gate.hold()
    }
    async let holder: Void = onThread { aggregator.send(.add(1)) }
    #expect(await eventually { isHeld.isRaised })
    var accepted = 1
    let closing = (0..<2).map { _ in Task { try await journal.close() } }
    let isClosed = await eventually {
      if aggregator.send(.add(1)) { accepted += 1 } else { return true }
      return false
    }
    #expect(isClosed)
    gate.open()
    await holder
    for task in closing { try await task.value }
    #expect(journal.writtenCount == accepted && aggregator.snapshot.sum == Int64(accepted))
    let next = try Journal(on: disk)
    #expect(try Aggregator(continuing: next).snapshot == aggregator.snapshot)
    try await next.close()
    token.cancel()
  }

  @Test("JRN-55: several threads send while a journal is closed: it has what they were told is accepted, and no more")
  func closingBesideSenders() async throws {
    for seed in 0..<rounds(300) {
      var random = SplitMix(seed: UInt64(seed))
      let journal = try Journal(on: SimulatedDisk()) { setup in
        setup.capacity = 16
        setup.plan.snapshotInterval = 1_000
      }
      let aggregator = try Aggregator(continuing: journal)
      let accepted = Counter()
      async let senders: Void = Threads.run(count: 3) { _ in
        // So many that most runs are closed before, and not so many that a closing task that gets no turn fills memory.
        for _ in 0..<1_000 {
          guard aggregator.send(.add(1)) else { return }
          accepted.increment()
        }
      }
      let least = Int.random(in: 0...500, using: &random)
      #expect(await eventually { accepted.value >= least })
      try await journal.close()
      await senders
      #expect(journal.writtenCount == accepted.value, "seed \(seed)")
      #expect(aggregator.snapshot.sum == Int64(accepted.value), "seed \(seed)")
    }
  }

  @Test("JRN-55: a journal that is closed while its aggregator is being made ends that when it is there")
  func closedWhileMade() async throws {
    let journal = try Journal(on: SimulatedDisk())
    let continuation = try journal.begin()
    let closing = Task { try await journal.close() }
    #expect(await eventually { isClosed(journal) })
    let aggregator = Aggregator(continuing: continuation, buffering: .unbounded, newcomers: [])
    aggregator.send(1...3)
    journal.start(aggregator.core)
    try await closing.value
    #expect(!aggregator.send(.add(1)) && journal.writtenCount == 3)
  }

  private func isClosed(_ journal: Journal<Total>) -> Bool {
    do throws(JournalError) {
      _ = try journal.begin()
      return false
    } catch {
      if case .closed = error { return true }
      return false
    }
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

  @Test("JRN-42: the times of events follow a time of day that was set, also back")
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
    #expect(times.count == 3 && times[1] > .seconds(1_731_000_000))
    #expect(times[0] < .seconds(1_700_003_600) && times[2] < .seconds(1_700_003_600))
  }
}
