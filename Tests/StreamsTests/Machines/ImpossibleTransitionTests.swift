import RASPTesting
import TestSupport
import Testing

@testable import Streams

#if DEBUG
  @Suite("Machines: what cannot happen traps in a debug build")
  struct ImpossibleTransitionTests {
    private final class Thing: Sendable {}

    private struct Shell: ~Copyable, DeliveryShell {
      var kept: QueueAccess?

      mutating func deliver(_ value: Int, _ access: QueueAccess) { kept = access }
    }

    /// Carries what must not be carried.
    private struct Smuggled: @unchecked Sendable {
      let access: QueueAccess
    }

    @Test("Counting a latch down too far")
    func latch() async {
      await #expect(processExitsWith: .failure) {
        let latch = CountDownLatch(1) {}
        latch.countDown()
        latch.countDown()
      }
    }

    @Test("An observer list whose tokens do not rise")
    func tokens() async {
      await #expect(processExitsWith: .failure) {
        var list = ObserverList()
        list.append(Thing(), token: 2)
        list.append(Thing(), token: 2)
      }
    }

    @Test("Using what a queue protects when it has been left")
    func keptAccess() async {
      await #expect(processExitsWith: .failure) {
        let kept = Box<Smuggled>()
        let queue = DeliveryQueue(JobShell())
        queue.run { _, access in kept.value = Smuggled(access: access) }
        kept.value?.access.check()
      }
    }

    @Test("Using what a queue protects on another thread while it is owned")
    func otherThread() async {
      await #expect(processExitsWith: .failure) {
        let queue = DeliveryQueue(JobShell())
        queue.run { _, access in
          let smuggled = Smuggled(access: access)
          Threads.run({ smuggled.access.check() })
        }
      }
    }

    @Test("A try that ends although it is over")
    func retry() async {
      await #expect(processExitsWith: .failure) {
        let rule = RetryRule(limit: 3, delay: .none, recovery: .never)
        var machine = RetryMachine(Observable<Int, TestError>(attach: { _ in }), rule)
        var clock = StageClock(nil)
        _ = machine.receive(.ended(.failed(TestError()), input: 0), &clock)
        _ = machine.receive(.ended(.failed(TestError()), input: 0), &clock)
      }
    }

    @Test("A delay that is woken although nothing waits")
    func delay() async {
      await #expect(processExitsWith: .failure) {
        var machine = DelayMachine<Int, TestError>(delay: .seconds(1))
        var clock = StageClock(nil)
        _ = machine.receive(.woken, &clock)
      }
    }

    @Test("A machine that asks for the time without a scheduler")
    func time() async {
      await #expect(processExitsWith: .failure) {
        var clock = StageClock(nil)
        _ = clock.now()
      }
    }
  }
#endif
