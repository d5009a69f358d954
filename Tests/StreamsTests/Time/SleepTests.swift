import RASPTesting
import Streams
import TestSupport
import Testing

@Suite("sleep(until:)")
struct SleepTests {
  private let time = VirtualScheduler()

  @Test("TIME-07: an instant that is not in the future returns at once", arguments: [0, 5, 4, -1])
  func past(second: Int) async {
    time.advance(to: .seconds(5))
    let returned = Flag()
    let task = Task { [time] in
      try await time.sleep(until: .seconds(second))
      returned.raise()
    }
    #expect(await eventually { returned.isRaised })
    #expect(time.pending.isEmpty)
    task.cancel()
    _ = await task.result
  }

  @Test("Sleeps until virtual time gets there, and not longer")
  func wakes() async throws {
    let task = Task { [time] in
      try await time.sleep(until: .seconds(3))
      return time.now
    }
    #expect(await eventually { time.pending == [.seconds(3)] })
    time.advance(to: .seconds(2))
    #expect(time.pending == [.seconds(3)])
    time.advance(to: .seconds(3))
    #expect(try await task.value == .seconds(3))
  }

  @Test("TIME-08: cancelling wakes it with CancellationError without advancing, and leaves nothing scheduled")
  func cancel() async {
    for round in 0..<rounds(1_000) {
      let task = Task { [time] in try await time.sleep(until: .seconds(3)) }
      // Before it is registered, about then, and afterwards.
      for _ in 0..<(round % 10) { await Task.yield() }
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
      #expect(time.pending.isEmpty)
    }
    #expect(time.now == .zero)
  }

  @Test("TIME-08: a task that is cancelled before it sleeps does not sleep, even if the instant has passed")
  func cancelledBefore() async {
    let task = Task { [time] in
      _ = await eventually { Task.isCancelled }
      try await time.sleep(until: .seconds(3))
    }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(time.pending.isEmpty)
  }

  @Test("Waking against cancelling: it returns exactly once")
  func race() async {
    for _ in 0..<rounds(3_000) {
      let time = VirtualScheduler()
      let task = Task { try await time.sleep(until: .seconds(1)) }
      _ = await eventually { !time.pending.isEmpty }
      await Threads.run({ time.advance(by: .seconds(1)) }, { task.cancel() })
      _ = await task.result
      #expect(time.pending.isEmpty)
    }
  }
}
