import RASPTesting
import TestSupport
import Testing

@testable import RASPPrimitives
@testable import Streams

@Suite("NewestChannel", .endsInTime)
struct NewestChannelTests {
  private func text<Element>(_ reading: NewestChannel<Element>.Reading) -> String {
    switch reading {
    case .value(let value, _): "\(value)"
    case .end: "end"
    case .nothing: "nothing"
    }
  }

  @Test("the newest value is read once, and what it replaced is counted")
  func newest() {
    let drops = DropCounter()
    let channel = NewestChannel<Int>(drops: drops)
    #expect(text(channel.take()) == "nothing")
    for round in 0..<10 {
      for value in 1...3 { channel.send(round * 10 + value) }
      #expect(text(channel.take()) == "\(round * 10 + 3)")
      #expect(text(channel.take()) == "nothing")
      #expect(drops.count == (round + 1) * 2)
    }
  }

  @Test("the end comes behind the value that was not read yet, and stays")
  func end() {
    let channel = NewestChannel<Int>(drops: DropCounter())
    channel.send(1)
    channel.end()
    #expect(["1", "end", "end"] == [text(channel.take()), text(channel.take()), text(channel.take())])
    channel.end()
    #expect(text(channel.take()) == "end")
  }

  @Test("once cancelled there is nothing to read, and nothing is taken")
  func cancelled() {
    let drops = DropCounter()
    let channel = NewestChannel<Int>(drops: drops)
    channel.send(1)
    channel.cancel()
    channel.cancel()
    #expect(text(channel.take()) == "end")
    channel.send(2)
    channel.end()
    #expect(text(channel.take()) == "end")
    #expect(drops.count == 0, "what was not wanted is not lost")
  }

  @Test("a value is released when it is replaced, read, or abandoned, and not later")
  func release() {
    let tracker = LifetimeTracker()
    let channel = NewestChannel<LifetimeTracker.Object>(drops: DropCounter())
    for _ in 0..<3 { channel.send(tracker.make()) }
    #expect(tracker.liveCount == 1)
    _ = channel.take()
    #expect(tracker.liveCount == 0)
    channel.send(tracker.make())
    channel.cancel()
    #expect(tracker.liveCount == 0)
    channel.send(tracker.make())
    #expect(tracker.liveCount == 0)

    do {
      let unread = NewestChannel<LifetimeTracker.Object>(drops: DropCounter())
      unread.send(tracker.make())
      #expect(tracker.liveCount == 1)
    }
    #expect(tracker.liveCount == 0)
  }

  @Test("who waits is woken by a value, by the end, and by cancelling", arguments: ["value", "end", "cancel"])
  func waking(by what: String) async {
    for _ in 0..<rounds(500) {
      let channel = NewestChannel<Int>(drops: DropCounter())
      async let woken = channel.wait(isolation: nil)
      switch what {
      case "value": channel.send(1)
      case "end": channel.end()
      default: channel.cancel()
      }
      #expect(await woken)
      #expect(text(channel.take()) == (what == "value" ? "1" : "end"))
    }
  }

  @MainActor
  @Test("a second reader is refused, and the first one keeps waiting")
  func secondReader() async {
    let channel = NewestChannel<Int>(drops: DropCounter())
    let reading = Flag()
    let first = Task { @MainActor in
      reading.raise()
      return await channel.wait(isolation: MainActor.shared)
    }
    #expect(await eventually { reading.isRaised })
    #expect(await channel.wait(isolation: MainActor.shared) == false)
    channel.send(1)
    #expect(await first.value)
    #expect(text(channel.take()) == "1")
  }

  @MainActor
  @Test("a reader that was woken stays the one reader until it has run, also if another task took what woke it")
  func overtaken() async {
    let channel = NewestChannel<Int>(drops: DropCounter())
    let reading = Flag()
    let first = Task { @MainActor () -> String in
      reading.raise()
      while await channel.wait(isolation: MainActor.shared) {
        let reading = text(channel.take())
        if reading != "nothing" { return reading }
      }
      return "refused"
    }
    #expect(await eventually { reading.isRaised })
    channel.send(1)
    // Woken, but it cannot run before this task suspends.
    #expect(text(channel.take()) == "1")
    #expect(await channel.wait(isolation: MainActor.shared) == false)
    channel.send(2)
    #expect(await first.value == "2")
  }

  /// Reads until the end; yields what was read.
  private static func readAll<Element>(_ channel: NewestChannel<Element>) async -> [Element] {
    var read: [Element] = []
    while true {
      switch channel.take() {
      case .value(let value, _): read.append(value)
      case .end: return read
      case .nothing: _ = await channel.wait(isolation: nil)
      }
    }
  }

  @Test("a sender against a reader: rising values, the last one is read, and every value is read or counted")
  func race() async {
    for count in [1, 2, 3, 10, 2_000] {
      for _ in 0..<rounds(count > 100 ? 20 : 200) {
        let drops = DropCounter()
        let channel = NewestChannel<Int>(drops: drops)
        let reader = Task { await Self.readAll(channel) }
        await onThread {
          for value in 1...count { channel.send(value) }
          channel.end()
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
    for _ in 0..<rounds(500) {
      let channel = NewestChannel<LifetimeTracker.Object>(drops: DropCounter())
      let reader = Task { await Self.readAll(channel).count }
      await Threads.run(
        { for _ in 0..<20 { channel.send(tracker.make()) } },
        { channel.cancel() },
        { channel.cancel() }
      )
      #expect(await reader.value <= 20)
      #expect(tracker.liveCount == 0)
    }
  }
}
