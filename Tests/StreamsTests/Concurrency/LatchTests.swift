import RASPTesting
import TestSupport
import Testing

@testable import Streams

@Suite("Latch")
struct LatchTests {
  @Test("Waiting returns when it is open: before, after, and again")
  func opens() async {
    let opened = Latch()
    opened.open()
    opened.open()
    await opened.wait()
    await opened.wait()

    let later = Latch()
    let task = Task {
      await later.wait()
      return true
    }
    await Task.yield()
    later.open()
    later.open()
    #expect(await task.value)
  }

  @Test("Opening against waiting: the waiter is resumed exactly once")
  func race() async {
    for round in 0..<500 {
      let latch = Latch()
      let task = Task { await latch.wait() }
      for _ in 0..<(round % 5) { await Task.yield() }
      await Threads.run({ latch.open() }, { latch.open() })
      await task.value
    }
  }
}
