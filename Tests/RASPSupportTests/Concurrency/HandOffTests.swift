import RASPTesting
import TestSupport
import Testing

@testable import RASPSupport

@Suite("HandOff")
struct HandOffTests {
  private final class Shared: Sendable {
    let value = HandOff<[Int]>()
    let isThere = Flag()
  }

  @Test("What is put down is taken away")
  func value() {
    let handOff = HandOff<String?>()
    handOff.put("a")
    #expect(handOff.take() == "a")
  }

  @Test("The caller that takes the value owns it; one that is not taken is released with the hand-off")
  func release() {
    let tracker = LifetimeTracker()
    let handOff = HandOff<LifetimeTracker.Object>()
    handOff.put(tracker.make())
    do {
      let value = handOff.take()
      #expect(value != nil)
      #expect(tracker.liveCount == 1)
    }
    #expect(tracker.liveCount == 0)
    do {
      let other = HandOff<LifetimeTracker.Object>()
      other.put(tracker.make())
    }
    #expect(tracker.liveCount == 0)
  }

  @Test("A thread that is told that the value is there gets the whole value")
  func threads() async {
    for round in 0..<200 {
      let shared = Shared()
      await Threads.run(count: 2) { thread in
        if thread == 0 {
          shared.value.put([round, round + 1])
          shared.isThere.raise()
        } else {
          #expect(shared.isThere.wait())
          #expect(shared.value.take() == [round, round + 1])
        }
      }
    }
  }

  #if DEBUG
    @Test("Putting down a second value traps in a debug build")
    func putTwice() async {
      await #expect(processExitsWith: .failure) {
        let handOff = HandOff<Int>()
        handOff.put(1)
        handOff.put(2)
      }
    }

    @Test("Taking a value that is not there, or not there any more, traps in a debug build")
    func takeTwice() async {
      await #expect(processExitsWith: .failure) {
        let handOff = HandOff<Int>()
        _ = handOff.take()
      }
      await #expect(processExitsWith: .failure) {
        let handOff = HandOff<Int>()
        handOff.put(1)
        _ = handOff.take()
        _ = handOff.take()
      }
    }
  #else
    @Test("The first value counts, and it is taken once, in a release build")
    func twice() {
      let handOff = HandOff<Int>()
      #expect(handOff.take() == nil)
      handOff.put(1)
      handOff.put(2)
      #expect(handOff.take() == 1)
      #expect(handOff.take() == nil)
    }
  #endif
}
