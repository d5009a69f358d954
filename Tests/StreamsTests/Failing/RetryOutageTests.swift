import RASPTesting
import Streams
import TestSupport
import Testing

@Suite("retry: outages")
struct RetryOutageTests {
  private let time = VirtualScheduler()

  @Test("S-RETRY-01: an outage of an hour, and one after it")
  func outage() {
    let log = SubscriptionLog(on: time)
    let isDown = Box(true)
    let gps = Observable<Int, TestError>.deferred { [time] in
      if isDown.value == true { return .fail(TestError(code: 1)) }
      return Observable<Int, Never>.interval(.seconds(60), on: time).setFailureType(to: TestError.self)
        .map { value throws(TestError) in
          if isDown.value == true { throw TestError(code: value < 3 ? 9 : 1) }
          return value
        }
    }
    let recorder = Recorder(
      gps.recordingSubscriptions(in: log)
        .retry(.exponential(from: .seconds(1), limit: .seconds(300)), limit: 30, on: time) { $0.code == 1 },
      on: time
    )
    time.advance(to: .seconds(3_600))
    let tries = log.count
    #expect(tries > 15 && tries < 25)
    isDown.value = false
    time.advance(to: .seconds(7_200))
    #expect(recorder.values.count > 50)
    #expect(log.count == tries + 1)
    isDown.value = true
    let down = time.now
    time.advance(by: .seconds(60))
    isDown.value = false
    time.advance(by: .seconds(300))
    #expect(log.spans[tries + 1].subscribed <= down + .seconds(61), "the first delay again, not the longest one")
    #expect(recorder.end == nil)
    isDown.value = true
    time.advance(to: .seconds(100_000))
    #expect(recorder.end == .failed(TestError(code: 1)) || recorder.end == .failed(TestError(code: 9)))
    #expect(time.pending == [])
  }

  @Test("S-RETRY-02: what a retry does is told before it does it, with the delay and the number of the try")
  func events() {
    let (told, tries) = (Log<String>(), Counter())
    let source = Observable<Int, TestError>.deferred {
      told.note("subscribed")
      return .fail(TestError(code: tries.increment()))
    }
    let recorder = Recorder(
      source.retry(.exponential(from: .seconds(1)), on: time, if: { $0.code < 3 }) { [time] event in
        switch event {
        case .failed(let failure, let delay): told.note("\(time.now) \((failure as? TestError)?.code ?? 0), \(delay)")
        case .trying(let number): told.note("\(time.now) try \(number)")
        }
      },
      on: time
    )
    time.advance(by: .seconds(10))
    #expect(
      told.entries == [
        "subscribed", "0.0 seconds 1, 1.0 seconds", "1.0 seconds try 1",
        "subscribed", "1.0 seconds 2, 2.0 seconds", "3.0 seconds try 2", "subscribed",
      ]
    )
    #expect(recorder.end == .failed(TestError(code: 3)))
    let token = source.retry(1) { event in
      if case .trying(let number) = event { told.note("try \(number)") }
    }.subscribe { _ in }
    #expect(told.entries.suffix(3) == ["subscribed", "try 1", "subscribed"])
    token.cancel()
  }
}
