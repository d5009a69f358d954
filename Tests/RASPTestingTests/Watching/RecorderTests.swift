import RASPTesting
import Streams
import TestSupport
import Testing

@Suite("Recorder")
struct RecorderTests {
  private let time = VirtualScheduler()

  @Test("every value and the end, with its virtual instant")
  func records() {
    let recorder = Recorder(Observable.interval(.seconds(1), on: time).prefix(2), on: time)
    #expect(recorder.records.isEmpty)
    time.run()
    #expect(recorder.values == [0, 1])
    #expect(recorder.end == .finished)
    #expect(
      recorder.records == [
        .init(at: .seconds(1), .value(0)), .init(at: .seconds(2), .value(1)), .init(at: .seconds(2), .end(.finished)),
      ]
    )
  }

  @Test("without a scheduler all instants are zero")
  func withoutTime() {
    time.advance(by: .seconds(5))
    #expect(Recorder(Observable([1])).records == [.init(.value(1)), .init(.end(.finished))])
    #expect(Recorder(Observable([1]), on: time).records.map(\.instant) == [.seconds(5), .seconds(5)])
  }

  @Test("a failure is an end")
  func failure() {
    let recorder = Recorder(Observable<Int, MarbleFailure> { $0.fail(MarbleFailure()) })
    #expect(recorder.end == .failed(MarbleFailure()))
    #expect(recorder.ends.count == 1)
    #expect(recorder.values == [])
  }

  @Test("subscribes until it is cancelled or released")
  func subscription() {
    let subject = Subject<Int, Never>()
    var recorder: Recorder<Int, Never>? = Recorder(subject.observable)
    #expect(subject.observerCount == 1)
    subject.send(1)
    recorder?.cancel()
    recorder?.cancel()
    #expect(subject.observerCount == 0)
    subject.send(2)
    #expect(recorder?.values == [1])
    recorder = Recorder(subject.observable)
    #expect(subject.observerCount == 1)
    recorder = nil
    #expect(subject.observerCount == 0)
  }

  @Test("a callback runs after the event was written down, and may send and cancel")
  func callback() {
    let subject = Subject<Int, Never>()
    let box = Lock<Recorder<Int, Never>?>(nil)
    let counts = Lock<[Int]>([])
    let recorder = Recorder(subject.observable) { event in
      let recorder = box.withLock { $0 }
      let count = recorder?.records.count ?? 0
      counts.withLock { $0.append(count) }
      if case .value(1) = event { subject.send(2) }
      if case .value(2) = event { recorder?.cancel() }
    }
    box.withLock { $0 = recorder }
    subject.send(1)
    subject.send(3)
    #expect(recorder.values == [1, 2])
    #expect(counts.withLock { $0 } == [1, 2])
    box.withLock { $0 = nil }
  }

  @Test("values from many threads: none is lost, in one order for all")
  func threads() async {
    for _ in 0..<rounds(1_000) {
      let subject = Subject<Int, Never>()
      let first = Recorder(subject.observable)
      let second = Recorder(subject.observable)
      await Threads.run(count: 4) { thread in for value in 0..<50 { subject.send(thread * 100 + value) } }
      #expect(first.values.count == 200)
      #expect(first.values == second.values)
    }
  }
}
