import RASPTesting
import TestSupport
import Testing

@testable import Streams

@Suite("AsyncChannel")
struct AsyncChannelTests {
  private final class Cargo: Error {
    let object: LifetimeTracker.Object
    init(_ object: LifetimeTracker.Object) { self.object = object }
  }

  @Test("Nothing of a user is released under the lock: values that are dropped, ignored or abandoned")
  func values() {
    let tracker = LifetimeTracker()
    let touched = Counter()
    for policy in [BufferingPolicy.newest(1), .oldest(1), .newest(0), .oldest(0), .unbounded] {
      let channel = AsyncChannel<LifetimeTracker.Object, Never>(policy: policy, drops: DropCounter())
      let make = {
        tracker.make { [weak channel] in
          // Takes the channel's lock: it must be free.
          _ = channel?.take()
          touched.increment()
        }
      }
      for _ in 0..<4 { channel.send(make()) }
      channel.cancel()
      channel.send(make())
    }
    #expect(tracker.liveCount == 0)
    #expect(touched.value == 25)
  }

  @Test("Nothing of a user is released under the lock: a failure that is not read any more")
  func failure() {
    let tracker = LifetimeTracker()
    let touched = Counter()
    let channel = AsyncChannel<Int, Cargo>(policy: .unbounded, drops: DropCounter())
    let make = {
      Cargo(
        tracker.make { [weak channel] in
          _ = channel?.take()
          touched.increment()
        }
      )
    }
    channel.end(.failed(make()))
    channel.end(.failed(make()))
    channel.cancel()
    channel.end(.failed(make()))
    #expect(tracker.liveCount == 0)
    #expect(touched.value == 3)
  }

  @Test("A second reader is refused, and the first one keeps waiting for its value")
  func secondReader() async {
    let channel = AsyncChannel<Int, Never>(policy: .unbounded, drops: DropCounter())
    let readers = (0..<2).map { _ in
      Task { () -> Int? in
        switch await channel.next(isolation: nil) {
        case .value(let value): value
        case .end: nil
        }
      }
    }
    // One of them is refused at once; whichever it is, the other gets the value.
    let values = await withTaskGroup(of: Int?.self) { group in
      for reader in readers { group.addTask { await reader.value } }
      var values = [await group.next() ?? nil]
      channel.send(5)
      values.append(await group.next() ?? nil)
      return values
    }
    #expect(values == [nil, 5])
  }

  @Test("Sending against cancelling against reading: every reader is answered")
  func race() async {
    for _ in 0..<rounds(3_000) {
      let channel = AsyncChannel<Int, Never>(policy: .unbounded, drops: DropCounter())
      let reader = Task { () -> Int in
        var count = 0
        while case .value = await channel.next(isolation: nil) { count += 1 }
        return count
      }
      await Threads.run(
        { for value in 0..<5 { channel.send(value) } },
        { channel.cancel() },
        { channel.end(.finished) }
      )
      #expect(await reader.value <= 5)
    }
  }
}
