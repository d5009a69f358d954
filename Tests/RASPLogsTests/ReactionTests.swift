import Aggregate
import RASPTesting
import Streams
import TestSupport
import Testing

@testable import RASPLogs

@Suite("Reactions that hang, and reactions that wait", .endsInTime)
struct ReactionTests {
  /// A name under which a member gets the only partition.
  ///
  /// - Parameter isAtOnce: whether it gets it while `first` is there, too.
  private func name(isAtOnce: Bool) throws -> String {
    try #require(
      (0..<1_000).map { "other \($0)" }.first { name in
        let owner = LogOwners(dividing: 1, among: [LogOwner("first"), LogOwner(name)])[0]?.member
        return (owner == name) == isAtOnce
      }
    )
  }

  @Test("LOG-31: a shutdown whose limit is over gives its partitions to others, although a reaction hangs")
  func shutdown() async throws {
    let log = MemoryLog<Deposit>()
    let time = VirtualScheduler()
    let (isHanging, never) = (Latch(), Latch())
    let first = try await LoggedSavings.opened(on: log, as: "first", time: time) { _, _ in
      isHanging.open()
      await never.wait()
    }
    try await first.append(Deposit(account: "ada", amount: 1))
    await isHanging.wait()
    await withMovingTime(time) { await first.shutdown(within: .seconds(5)) }
    let second = try await LoggedSavings.opened(on: log, as: name(isAtOnce: false), time: time)
    #expect(second.partitions == [0])
    try await second.deposit(2, to: "ada")
    #expect(second["ada"].current?.sum == 3)
    never.open()
    await second.shutdown()
  }

  @Test("LOG-31: a partition that comes back is folded, although a reaction to an entry of before hangs")
  func comesBack() async throws {
    let log = MemoryLog<Deposit>()
    let time = VirtualScheduler()
    let (isHanging, never) = (Latch(), Latch())
    let hangs = Lock(true)
    let reacted = Log<Int>()
    let first = try await LoggedSavings.opened(on: log, as: "first", time: time) { position, _ in
      guard hangs.exchange(with: false) else { return reacted.note(position.offset) }
      isHanging.open()
      await never.wait()
    }
    try await first.append(Deposit(account: "ada", amount: 1))
    await isHanging.wait()
    let heard = Log<String>()
    let subscription = first.ownership.subscribe { event in heard.note("\(event)") }
    let other = try await LoggedSavings.opened(on: log, as: name(isAtOnce: true), time: time)
    #expect(other.partitions == [0])
    await other.shutdown()
    let position = try await first.append(Deposit(account: "ada", amount: 2))
    try await withMovingTime(time) { try await first.atLeast(position) }
    #expect(first["ada"].current?.sum == 3)
    let all = ["released(partition: 0)", "restoring(partition: 0)", "live(partition: 0)"]
    #expect(await eventually { heard.entries == all }, "\(heard.entries)")
    #expect(await eventually { reacted.entries == [2] }, "the other one has committed the first entry")
    never.open()
    await first.shutdown()
    #expect(try await log.committed(0).offset == 2)
    subscription.cancel()
  }

  @Test(
    "LOG-32: a reaction that waits for the fold of what it has appended is told that it would wait for itself",
    arguments: [false, true],
    [false, true]
  )
  func waitsForItself(isAtLeast: Bool, isInTask: Bool) async throws {
    let log = MemoryLog<Deposit>()
    let opened = Box<LoggedSavings>()
    let answers = Log<String>()
    let accounts = try await LoggedSavings.opened(on: log) { position, deposit in
      guard deposit.amount == 1, let accounts = opened.value else { return }
      let wait = { @Sendable () async -> String in
        do throws(LogError) {
          // It is there already.
          try await accounts.folded(position)
          let answer = try await accounts.append(Deposit(account: "ada", amount: 2))
          if isAtLeast { try await accounts.atLeast(answer) } else { try await accounts.folded(answer) }
          return "folded"
        } catch {
          return "\(error)"
        }
      }
      answers.note(isInTask ? await Task { await wait() }.value : await wait())
    }
    opened.value = accounts
    try await accounts.append(Deposit(account: "ada", amount: 1))
    #expect(await eventually { accounts["ada"].current?.sum == 3 })
    #expect(await eventually { answers.count == 1 })
    #expect(
      answers.last == """
        memory, partition 0: entry 2 may be folded only when the reaction to entry 1 has returned, so that one \
        cannot wait for it. Go on in the reaction to entry 2, or in a task that is detached.
        """
    )
    opened.take()
    await accounts.shutdown()
  }

  @Test("LOG-32: a task that is detached, and one that waits when the reaction has returned, may wait")
  func othersMayWait() async throws {
    let log = MemoryLog<Deposit>()
    let opened = Box<LoggedSavings>()
    let (detached, later, isOver) = (Box<Task<Bool, Never>>(), Box<Task<Bool, Never>>(), Latch())
    let accounts = try await LoggedSavings.opened(on: log) { _, deposit in
      guard deposit.amount == 1, let accounts = opened.value,
        let answer = try? await accounts.append(Deposit(account: "ada", amount: 2))
      else { return }
      detached.value = Task.detached { (try? await accounts.folded(answer)) != nil }
      later.value = Task {
        await isOver.wait()
        return (try? await accounts.folded(answer)) != nil
      }
    }
    opened.value = accounts
    try await accounts.append(Deposit(account: "ada", amount: 1))
    try await accounts.atLeast(LogPosition(log: log.name, partition: 0, offset: 2))
    isOver.open()
    #expect(await detached.value?.value == true)
    #expect(await later.value?.value == true)
    opened.take()
    await accounts.shutdown()
  }

  @Test("LOG-32: what a reaction's thread delivers for others is no part of the reaction")
  func deliveredForOthers() async throws {
    let log = MemoryLog<Deposit>()
    let opened = Box<LoggedSavings>()
    let numbers = Subject<Int, Never>()
    let (isDelivering, goOn) = (Flag(), Flag())
    let reacting = Log<[LogPosition?]>()
    let token = numbers.subscribe { number in
      guard let accounts = opened.value else { return }
      reacting.note([accounts.setup.reports.reacting])
      if number == 1 {
        isDelivering.raise()
        _ = goOn.wait()
      }
    }
    let accounts = try await LoggedSavings.opened(on: log) { _, _ in numbers.send(1) }
    opened.value = accounts
    try await accounts.append(Deposit(account: "ada", amount: 1))
    await onThread {
      _ = isDelivering.wait()
      // It is sent from outside of all reactions, and the thread of the reaction delivers it.
      numbers.send(2)
      goOn.raise()
    }
    #expect(await eventually { reacting.count == 2 })
    #expect(reacting.entries == [[LogPosition(log: log.name, partition: 0, offset: 1)], [nil]])
    opened.take()
    await accounts.shutdown()
    withExtendedLifetime(token) {}
  }

  @Test("LOG-32: an end in a reaction does not wait for that reaction, and what it has reacted to is committed")
  func shutdownInReaction() async throws {
    let log = MemoryLog<Deposit>()
    let opened = Box<LoggedSavings>()
    let accounts = try await LoggedSavings.opened(on: log) { _, _ in await opened.take()?.shutdown() }
    let hasEnded = Flag()
    let subscription = accounts.ownership.subscribe { _ in
    } onEnd: { _ in
      hasEnded.raise()
    }
    opened.value = accounts
    try await accounts.append(Deposit(account: "ada", amount: 1))
    // The limit of the shutdown is in a time that stands still.
    #expect(await eventually { hasEnded.isRaised })
    #expect(try await log.committed(0).offset == 1)
    subscription.cancel()
  }

  @Test("LOAD-67: a wait for an entry in a task that is cancelled throws, as one for at least that entry does")
  func cancelled() async throws {
    let log = MemoryLog<Deposit>()
    let accounts = try await LoggedSavings.opened(on: log)
    let position = LogPosition(log: log.name, partition: 0, offset: 1)
    for waiting in [Task { try await accounts.folded(position) }, Task { try await accounts.atLeast(position) }] {
      waiting.cancel()
      let error = await #expect(throws: LogError.self) { try await waiting.value }
      guard case .cancelled("memory")? = error else {
        Issue.record("\(String(describing: error))")
        return
      }
    }
    await accounts.shutdown()
  }
}
