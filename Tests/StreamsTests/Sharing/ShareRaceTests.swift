import RASPTesting
import Streams
import TestSupport
import Testing

@Suite("share, on threads")
struct ShareRaceTests {
  @Test("SHARE-06: thirty-two threads that subscribe at the same moment connect once, and none misses a value")
  func connectOnce() async {
    for _ in 0..<rounds(2_500) {
      let subject = Subject<Int, Never>()
      let log = SubscriptionLog()
      let stream = subject.observable.recordingSubscriptions(in: log).share()
      let recorders = Lock<[Recorder<Int, Never>]>([])
      await Threads.run(count: 32) { _ in
        let recorder = Recorder(stream)
        recorders.withLock { $0.append(recorder) }
      }
      #expect(log.count == 1)
      subject.send(1)
      #expect(recorders.withLock { $0 }.allSatisfy { $0.values == [1] })
      await Threads.run(count: 32) { index in recorders.withLock { $0[index] }.cancel() }
      #expect(log.activeCount == 0)
      #expect(subject.observerCount == 0)
    }
  }

  @Test("SHARE-06: a few threads, many rounds: one connection, and everyone is served")
  func connectOnceManyTimes() async {
    for _ in 0..<rounds(30_000) {
      let log = SubscriptionLog()
      let subject = Subject<Int, Never>(initial: 7)
      let stream = subject.observable.recordingSubscriptions(in: log).share(replaying: 1)
      let recorders = Lock<[Recorder<Int, Never>]>([])
      await Threads.run(count: 3) { _ in
        let recorder = Recorder(stream)
        recorders.withLock { $0.append(recorder) }
      }
      #expect(log.count == 1)
      #expect(recorders.withLock { $0 }.allSatisfy { $0.values == [7] })
    }
  }

  @Test("joining and leaving at once: those that stay are connected, and no connection is left behind")
  func joinAgainstLeave() async {
    for round in 0..<rounds(30_000) {
      let subject = Subject<Int, Never>()
      let log = SubscriptionLog()
      let stream = subject.observable.recordingSubscriptions(in: log).share()
      let first = Recorder(stream)
      let second = Lock<Recorder<Int, Never>?>(nil)
      await Threads.run(
        { first.cancel() },
        {
          let recorder = Recorder(stream)
          second.withLock { $0 = recorder }
        }
      )
      subject.send(round)
      #expect(second.withLock { $0 }?.values == [round])
      #expect(log.activeCount == 1)
      second.withLock { $0 }?.cancel()
      #expect(log.activeCount == 0)
    }
  }

  @Test("SHARE-03: joining against the end: everyone gets the end, and the source is connected at most once more")
  func joinAgainstEnd() async {
    for _ in 0..<rounds(30_000) {
      let subject = Subject<Int, Never>()
      let log = SubscriptionLog()
      let stream = subject.observable.recordingSubscriptions(in: log).share(replaying: 1)
      let first = Recorder(stream)
      let second = Lock<Recorder<Int, Never>?>(nil)
      await Threads.run(
        {
          subject.send(1)
          subject.finish()
        },
        {
          let recorder = Recorder(stream)
          second.withLock { $0 = recorder }
        }
      )
      #expect(first.values == [1])
      #expect(first.ends == [.finished])
      #expect(second.withLock { $0 }?.values == [1])
      #expect(second.withLock { $0 }?.ends == [.finished])
      #expect(log.count == 1)
    }
  }

  @Test("joining while a delivery is held open: the newcomer gets what comes next, and what is replayed first")
  func joinDuringDelivery() async {
    let subject = Subject<Int, Never>()
    let stream = subject.share(replaying: 1)
    let gate = Gate(patience: longestWait)
    let first = Recorder(stream) { _ in gate.hold() }
    let second = Lock<Recorder<Int, Never>?>(nil)
    await Threads.run(
      { subject.send(1) },
      {
        gate.waitUntilHeld()
        let recorder = Recorder(stream)
        second.withLock { $0 = recorder }
        subject.send(2)
        #expect(recorder.values == [])
        gate.open()
      }
    )
    #expect(first.values == [1, 2])
    #expect(second.withLock { $0 }?.values == [1, 2])
  }
}
