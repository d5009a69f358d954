import RASPTesting
import Streams
import TestSupport
import Testing

@Suite("A line that is watched")
struct WatchedLineTests {
  @Test(
    "THR-02: what waits and what was dropped is read while two threads send and one of them delivers",
    arguments: [BufferingPolicy.unbounded, .newest(7), .oldest(7)]
  )
  func counts(policy: BufferingPolicy) async {
    let subject = Subject<Int, Never>(buffering: policy)
    let (received, done) = (Counter(), Counter())
    let token = subject.subscribe { _ in received.increment() }
    let count = rounds(100_000)
    await Threads.run(count: 3) { thread in
      if thread == 0 {
        var dropped = 0
        while done.value < 2 {
          #expect((0...2 * count).contains(subject.pendingCount))
          #expect(subject.droppedCount >= dropped)
          dropped = subject.droppedCount
        }
      } else {
        for number in 0..<count { subject.send(number) }
        done.increment()
      }
    }
    #expect(await eventually { received.value + subject.droppedCount == 2 * count })
    #expect(subject.pendingCount == 0)
    token.cancel()
  }
}
