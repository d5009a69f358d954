import RASPTesting
import TestSupport
import Testing

@testable import Streams

@Suite("NewestSlot", .timeLimit(.minutes(2)))
struct NewestSlotTests {
  private func text<Element>(_ reading: NewestSlot<Element>.Reading) -> String {
    switch reading {
    case .value(let value): "\(value)"
    case .end: "end"
    case .nothing: "nothing"
    }
  }

  @Test("the newest value is read once, and what it replaced is counted")
  func newest() {
    let drops = DropCounter()
    let slot = NewestSlot<Int>(drops: drops)
    #expect(text(slot.take()) == "nothing")
    for round in 0..<10 {
      for value in 1...3 { slot.send(round * 10 + value) }
      #expect(text(slot.take()) == "\(round * 10 + 3)")
      #expect(text(slot.take()) == "nothing")
      #expect(drops.count == (round + 1) * 2)
    }
  }

  @Test("the end comes behind the value that was not read yet, and stays")
  func end() {
    let slot = NewestSlot<Int>(drops: DropCounter())
    slot.send(1)
    slot.end()
    #expect(["1", "end", "end"] == [text(slot.take()), text(slot.take()), text(slot.take())])
    slot.end()
    #expect(text(slot.take()) == "end")
  }

  @Test("once cancelled there is nothing to read, and nothing is taken")
  func cancelled() {
    let drops = DropCounter()
    let slot = NewestSlot<Int>(drops: drops)
    slot.send(1)
    slot.cancel()
    slot.cancel()
    #expect(text(slot.take()) == "end")
    slot.send(2)
    slot.end()
    #expect(text(slot.take()) == "end")
    #expect(drops.count == 0, "what nobody wanted is not lost")
  }

  @Test("a value is let go of when it is replaced, read, or abandoned, and not later")
  func release() {
    let tracker = LifetimeTracker()
    let slot = NewestSlot<LifetimeTracker.Object>(drops: DropCounter())
    for _ in 0..<3 { slot.send(tracker.make()) }
    #expect(tracker.liveCount == 1)
    _ = slot.take()
    #expect(tracker.liveCount == 0)
    slot.send(tracker.make())
    slot.cancel()
    #expect(tracker.liveCount == 0)
    slot.send(tracker.make())
    #expect(tracker.liveCount == 0)

    do {
      let unread = NewestSlot<LifetimeTracker.Object>(drops: DropCounter())
      unread.send(tracker.make())
      #expect(tracker.liveCount == 1)
    }
    #expect(tracker.liveCount == 0)
  }

  @Test("who waits is woken by a value, by the end, and by cancelling", arguments: ["value", "end", "cancel"])
  func waking(by what: String) async {
    for _ in 0..<500 {
      let slot = NewestSlot<Int>(drops: DropCounter())
      async let woken = slot.wait(isolation: nil)
      switch what {
      case "value": slot.send(1)
      case "end": slot.end()
      default: slot.cancel()
      }
      #expect(await woken)
      #expect(text(slot.take()) == (what == "value" ? "1" : "end"))
    }
  }

  @MainActor
  @Test("a second reader is refused, and the first one keeps waiting")
  func secondReader() async {
    let slot = NewestSlot<Int>(drops: DropCounter())
    let reading = Flag()
    let first = Task { @MainActor in
      reading.raise()
      return await slot.wait(isolation: MainActor.shared)
    }
    #expect(await eventually { reading.isRaised })
    #expect(await slot.wait(isolation: MainActor.shared) == false)
    slot.send(1)
    #expect(await first.value)
    #expect(text(slot.take()) == "1")
  }

  @MainActor
  @Test("a reader that was woken keeps its turn until it has run, also if another task took what woke it")
  func overtaken() async {
    let slot = NewestSlot<Int>(drops: DropCounter())
    let reading = Flag()
    let first = Task { @MainActor () -> String in
      reading.raise()
      while await slot.wait(isolation: MainActor.shared) {
        let reading = text(slot.take())
        if reading != "nothing" { return reading }
      }
      return "refused"
    }
    #expect(await eventually { reading.isRaised })
    slot.send(1)
    // Woken, but it cannot run before this task suspends.
    #expect(text(slot.take()) == "1")
    #expect(await slot.wait(isolation: MainActor.shared) == false)
    slot.send(2)
    #expect(await first.value == "2")
  }

  /// Reads until the end; yields what was read.
  private static func readAll<Element>(_ slot: NewestSlot<Element>) async -> [Element] {
    var read: [Element] = []
    while true {
      switch slot.take() {
      case .value(let value): read.append(value)
      case .end: return read
      case .nothing: _ = await slot.wait(isolation: nil)
      }
    }
  }

  @Test("a sender against a reader: rising values, the last one is read, and every value is read or counted")
  func race() async {
    for count in [1, 2, 3, 10, 2_000] {
      for _ in 0..<(count > 100 ? 20 : 200) {
        let drops = DropCounter()
        let slot = NewestSlot<Int>(drops: drops)
        let reader = Task { await Self.readAll(slot) }
        await onThread {
          for value in 1...count { slot.send(value) }
          slot.end()
        }
        let read = await reader.value
        #expect(zip(read, read.dropFirst()).allSatisfy { $0 < $1 })
        #expect(read.last == count)
        #expect(read.count + drops.count == count)
      }
    }
  }

  @Test("cancelling against sending against reading: the reader is answered, and nothing is left or released twice")
  func cancelRace() async {
    let tracker = LifetimeTracker()
    for _ in 0..<500 {
      let slot = NewestSlot<LifetimeTracker.Object>(drops: DropCounter())
      let reader = Task { await Self.readAll(slot).count }
      await onThread {
        Threads.run(
          { for _ in 0..<20 { slot.send(tracker.make()) } },
          { slot.cancel() },
          { slot.cancel() }
        )
      }
      #expect(await reader.value <= 20)
      #expect(tracker.liveCount == 0)
    }
  }
}
