import RASPTesting
import Streams
import TestSupport
import Testing

@Suite("SubscriptionLog")
struct SubscriptionLogTests {
  private let time = VirtualScheduler()
  private let log: SubscriptionLog

  init() {
    log = SubscriptionLog(on: time)
  }

  @Test("what was asked of upstream: subscribed, and cancelled, ended or still active, and when")
  func spans() {
    let stream = Observable.interval(.seconds(1), on: time).recordingSubscriptions(in: log)
    #expect(log.count == 0)
    let first = Recorder(stream)
    time.advance(by: .seconds(1))
    let second = Recorder(stream.prefix(2))
    time.advance(by: .seconds(5))
    first.cancel()
    let ended = Recorder(Observable([1]).recordingSubscriptions(in: log))
    let third = Recorder(stream)
    #expect(log.spans.map(\.subscribed) == [.zero, .seconds(1), .seconds(6), .seconds(6)])
    #expect(log.spans.map(\.released) == [.seconds(6), .seconds(3), .seconds(6), nil])
    #expect(log.spans.map(\.outcome) == [.cancelled, .cancelled, .ended, .active])
    #expect(log.count == 4)
    #expect(log.activeCount == 1)
    third.cancel()
    #expect(log.activeCount == 0)
    _ = (second, ended)
  }

  @Test("a failure is an end; cancelling after the end changes nothing")
  func failure() {
    let subject = Subject<Int, MarbleFailure>()
    let recorder = Recorder(subject.observable.recordingSubscriptions(in: log))
    time.advance(by: .seconds(1))
    subject.fail(MarbleFailure())
    time.advance(by: .seconds(1))
    recorder.cancel()
    #expect(log.spans.map(\.outcome) == [.ended])
    #expect(log.spans.map(\.released) == [.seconds(1)])
  }

  @Test("the stream is the same, values, ends and backpressure")
  func transparent() {
    let marbles = Marbles()
    let watched = SubscriptionLog(on: marbles.time)
    for diagram in ["ab-[cd|]", "a^", "---"] {
      marbles.expect(marbles.stream(diagram).recordingSubscriptions(in: watched), diagram)
    }
    #expect(watched.spans.map(\.outcome) == [.ended, .ended, .cancelled])
  }

  @Test("without a scheduler all instants are zero")
  func withoutTime() {
    let log = SubscriptionLog()
    time.advance(by: .seconds(3))
    let recorder = Recorder(Observable.interval(.seconds(1), on: time).recordingSubscriptions(in: log))
    recorder.cancel()
    #expect(log.spans.map(\.subscribed) == [.zero])
    #expect(log.spans.map(\.released) == [.zero])
  }

  @Test("subscribing and cancelling from many threads: every span is there, none is active in the end")
  func threads() async {
    let subject = Subject<Int, Never>()
    let stream = subject.observable.recordingSubscriptions(in: log)
    await Threads.run(count: 4) { _ in for _ in 0..<500 { Recorder(stream).cancel() } }
    #expect(log.count == 2_000)
    #expect(log.activeCount == 0)
  }
}
