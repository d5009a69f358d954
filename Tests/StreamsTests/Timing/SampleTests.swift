import RASPTesting
import Streams
import Testing

@Suite("sample")
struct SampleTests {
  private let marbles = Marbles()

  private func ticks(_ diagram: String) -> Observable<String, Never> {
    marbles.stream(diagram).catch { _ in Observable<String, Never>([]) }
  }

  @Test(
    "each tick sends the newest value, if there is one that was not sent",
    arguments: [
      ("ab--c---d|", "--x---xx-", "--b---c--[d|]"),
      ("a--------|", "-x-x-x-x-", "-a-------|"),
      ("--a------|", "xx-x-----", "---a-----|"),
      ("abc|", "---------", "---[c|]"),
      ("ab^", "---------", "--^"),
      ("----|", "xxxx", "----|"),
      ("a-----|", "[xx]-[xx]", "--a---|"),
    ]
  )
  func sampleOn(source: String, ticks: String, result: String) {
    marbles.expect(marbles.stream(source).sample(on: self.ticks(ticks)), result)
  }

  @Test("of a value and a tick at one instant, the one that arrives first counts as earlier")
  func boundary() {
    // Ticks are subscribed to first, so they come first unless the source is late or early by itself.
    marbles.expect(marbles.stream("a-b-|").sample(on: ticks("--x-")), "--a-[b|]")
    let valuesFirst = marbles.sharedStream("a-b-|")
    marbles.expect(valuesFirst.sample(on: ticks("--x-")), "--b-|")
  }

  @Test("when the ticks finish, nothing is sampled any more, but the source goes on to its end")
  func ticksFinish() {
    marbles.expect(marbles.stream("a-b-c|").sample(on: ticks("-x|")), "-a---[c|]")
    marbles.expect(marbles.stream("a-b-^").sample(on: ticks("-x|")), "-a--^")
  }

  @Test("the end releases the ticks, and so does cancelling; ticks that ended leave the source alone")
  func lettingGo() {
    let sources = SubscriptionLog(on: marbles.time)
    let tickers = SubscriptionLog(on: marbles.time)
    func run(_ source: String, _ ticker: String, _ result: String) {
      let watched = ticks(ticker).recordingSubscriptions(in: tickers)
      marbles.expect(marbles.stream(source).recordingSubscriptions(in: sources).sample(on: watched), result)
    }
    run("a|", "-----x", "-[a|]---")
    run("a^", "-----x", "-^---")
    run("a----", "-----x", "-;")
    run("a--|", "|", "---[a|]")
    #expect(sources.spans.map(\.outcome) == [.ended, .ended, .cancelled, .ended])
    #expect(tickers.spans.map(\.outcome) == [.cancelled, .cancelled, .cancelled, .ended])
    #expect(tickers.spans.first?.released == .seconds(1))
  }

  @Test("every: the phase counts from the subscription")
  func sampleEvery() {
    marbles.expect(marbles.stream("ab--c--d-|").sample(every: .seconds(3), on: marbles.time), "---b--c--[d|]")
    marbles.expect(marbles.stream("a------|").sample(every: .seconds(2), on: marbles.time), "--a----|")
    marbles.expect(marbles.stream("a^").sample(every: .seconds(2), on: marbles.time), "-^")
  }

  @Test(
    "every: a period that is not positive is that of the interval, a millisecond",
    arguments: [Duration.zero, .seconds(-1)]
  )
  func noPeriod(period: Duration) {
    let subject = Subject<Int, Never>()
    let recorder = Recorder(subject.sample(every: period, on: marbles.time), on: marbles.time)
    subject.send(1)
    marbles.time.advance(by: .seconds(1))
    #expect(recorder.values == [1])
    #expect(recorder.records.map(\.instant) == [.milliseconds(1)])
  }

  @Test("a source that sends at once, and ticks that are there before it")
  func synchronous() {
    let replaying = Subject<Int, Never>(initial: 0)
    marbles.expect(Observable([1, 2, 3]).sample(on: replaying.observable), "[3|]")
    let state = Subject<Int, Never>(initial: 5)
    let recorder = Recorder(state.sample(on: replaying.observable))
    #expect(recorder.values == [])
    replaying.send(1)
    replaying.send(2)
    #expect(recorder.values == [5])
  }
}
