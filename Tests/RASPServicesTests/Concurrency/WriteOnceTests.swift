import RASPTesting
import TestSupport
import Testing

@testable import RASPServices

@Suite("WriteOnce")
struct WriteOnceTests {
  private final class Shared: Sendable {
    let value = WriteOnce<[Int]>()
    let isWritten = Flag()
  }

  @Test("What is written is read, as often as wanted")
  func value() {
    let once = WriteOnce<String?>()
    once.write(nil)
    #expect(once.value == nil)
    #expect(once.value == nil)
  }

  @Test("The value is released with its owner, and needs not have been written")
  func release() {
    let tracker = LifetimeTracker()
    do {
      let once = WriteOnce<LifetimeTracker.Object>()
      once.write(tracker.make())
      #expect(tracker.liveCount == 1)
      _ = WriteOnce<LifetimeTracker.Object>()
    }
    #expect(tracker.liveCount == 0)
  }

  @Test("Threads that are told that the value is written read the whole value")
  func threads() async {
    for round in 0..<200 {
      let shared = Shared()
      await Threads.run(count: 3) { thread in
        if thread == 0 {
          shared.value.write([round, round + 1])
          shared.isWritten.raise()
        } else {
          #expect(shared.isWritten.wait())
          #expect(shared.value.value == [round, round + 1])
        }
      }
    }
  }

  @Test("Reading too early traps")
  func early() async {
    await #expect(processExitsWith: .failure) {
      let once = WriteOnce<Int>()
      _ = once.value
    }
  }

  #if DEBUG
    @Test("Writing twice traps in a debug build")
    func twice() async {
      await #expect(processExitsWith: .failure) {
        let once = WriteOnce<Int>()
        once.write(1)
        once.write(2)
      }
    }
  #else
    @Test("Writing twice changes nothing in a release build")
    func twice() {
      let once = WriteOnce<Int>()
      once.write(1)
      once.write(2)
      #expect(once.value == 1)
    }
  #endif
}
