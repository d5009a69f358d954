import RASPTesting
import Streams
import TestSupport
import Testing

@Suite("buffer")
struct BufferTests {
  private let marbles = Marbles()
  private let time = VirtualScheduler()

  @Test("S-BUFFER-01: full arrays, and what is left when the stream finishes; a failure drops it")
  func count() {
    #expect(Recorder(Observable(1...5).buffer(count: 2)).values == [[1, 2], [3, 4], [5]])
    #expect(Recorder(Observable(1...4).buffer(count: 2)).values == [[1, 2], [3, 4]])
    #expect(Recorder(Observable(1...2).buffer(count: -1)).values == [[1], [2]])
    let three = Observable(1...3).setFailureType(to: TestError.self)
    let failing = Observable.concat(three, .fail(TestError()))
    let recorder = Recorder(failing.buffer(count: 2))
    #expect(recorder.values == [[1, 2]] && recorder.ends == [.failed(TestError())])
  }

  @Test("S-BUFFER-01: at the boundary the period is over, whether its timer or the input comes first")
  func boundary() {
    marbles.expectEitherWay("a--b--", "---1-;") {
      $0.buffer(every: .seconds(3), on: marbles.time).map { "\($0.count)" }
    }
  }

  @Test("S-BUFFER-01: an empty period sends nothing and sets no timer; a full array does not move the period")
  func periods() {
    let subject = Subject<Int, Never>()
    let recorder = Recorder(subject.buffer(count: 2, every: .seconds(10), on: time), on: time)
    #expect(time.pending == [])
    time.advance(by: .seconds(25))
    subject.send(1)
    #expect(time.pending == [.seconds(30)])
    subject.send(2)
    #expect(time.pending == [])
    subject.send(3)
    time.advance(by: .seconds(100))
    #expect(recorder.values == [[1, 2], [3]])
    #expect(recorder.records.map(\.instant) == [.seconds(25), .seconds(30)])
    #expect(time.pending == [])
  }

  @Test(
    "any period and any instant is taken without a trap",
    arguments: [.zero, .seconds(-1), .seconds(Int64.max), Duration(attoseconds: .min), Duration(attoseconds: .max)]
  )
  func extremes(period: Duration) {
    for start in [Duration.zero, .seconds(1), .seconds(Int64.max), Duration(attoseconds: .max)] {
      let time = VirtualScheduler()
      time.advance(to: start)
      let subject = Subject<Int, Never>()
      let recorder = Recorder(subject.buffer(every: period, on: time))
      for value in 0..<3 { subject.send(value) }
      subject.finish()
      #expect(recorder.values.flatMap { $0 } == [0, 1, 2])
      #expect(recorder.ends == [.finished])
    }
  }
}
