import RASPTesting
import Streams
import TestSupport
import Testing

@Suite("Combining streams")
struct CombiningTests {
  private let marbles = Marbles()

  private func combined(_ first: String, _ second: String) -> Observable<String, MarbleFailure> {
    let pairs: Observable<(String, String), MarbleFailure> = Observable.combineLatest(
      marbles.stream(first),
      marbles.stream(second)
    )
    return pairs.map { $0.0 + $0.1 }
  }

  @Test("S-COMBINE-01: any number of inputs of any types, also optional ones")
  func inputs() {
    let (number, text, maybe) = (Subject<Int, Never>(), Subject<String, Never>(), Subject<Int?, Never>())
    let seen = Recorder(
      Observable.combineLatest(number.observable, text.observable, maybe.observable).map { "\($0) \($1) \($2 ?? -1)" }
    )
    number.send(1)
    maybe.send(nil)
    number.send(2)
    #expect(seen.values == [])
    text.send("a")
    maybe.send(3)
    number.send(4)
    #expect(seen.values == ["2 a -1", "2 a 3", "4 a 3"])
    let one = Recorder(Observable.combineLatest(Observable([1, 2])))
    #expect(one.values == [1, 2] && one.ends == [.finished])
    let none: Observable<Void, Never> = Observable.combineLatest()
    #expect(Recorder(none).ends == [.finished])
  }

  @Test(
    "S-COMBINE-02: every order of ends",
    arguments: [
      ("a-|", "-b--|", "-(ab)--|"), ("a---|", "-b|", "-(ab)--|"), ("--|", "a----|", "--|"), ("a---", "--|", "--|"),
      ("a-^", "-b--|", "-(ab)^"), ("a---", "-^", "-^"), ("|", "abc", "|"), ("^", "abc", "^"),
    ]
  )
  func ends(first: String, second: String, result: String) {
    let expected = result.replacing("(ab)", with: "X")
    marbles.expect(combined(first, second).map { $0 == "ab" ? "X" : $0 }, expected)
  }

  @Test(
    "S-LATEST-01: every order of ends",
    arguments: [
      ("-a-b|", "x-|", "-X-Y|"), ("-a-b|", "-----", "----|"), ("-a---", "--|", "--|"), ("-a--", "x-^", "-X^"),
      ("-a-^", "x--y", "-X-^"),
    ]
  )
  func withLatest(source: String, other: String, result: String) {
    let stream = marbles.stream(source).withLatest(from: marbles.stream(other)).map { $0.0 + $0.1 }
    marbles.expect(stream.map { ["ax": "X", "bx": "Y"][$0] ?? $0 }, result)
  }

  @Test(
    "S-UNTIL-01: every order of ends",
    arguments: [
      ("a-b-c", "---x", "a-b|"), ("a-b|", "-----x", "a-b|"), ("a-b-c|", "-|", "a-b-c|"), ("a-^", "---x", "a-^"),
      ("abc", "x", "|"),
    ]
  )
  func until(source: String, stop: String, result: String) {
    let stopping = marbles.stream(stop).catch { _ in Observable<String, Never>.empty }
    marbles.expect(marbles.stream(source).prefix(until: stopping), result)
  }

  @Test("S-UNTIL-01: a stop that sends at once keeps the source from being subscribed to")
  func untilAtOnce() {
    let log = SubscriptionLog()
    let source = Observable([1]).recordingSubscriptions(in: log).prefix(until: Observable([()]))
    #expect(Recorder(source).ends == [.finished])
    #expect(log.count == 0)
  }

  @Test("S-CONCAT-01: one after the other, and none after a failure")
  func concat() {
    let log = SubscriptionLog(on: marbles.time)
    func source(_ diagram: String) -> Observable<String, MarbleFailure> {
      marbles.stream(diagram).recordingSubscriptions(in: log)
    }
    marbles.expect(.concat(source("a|"), source("|"), source("b-|")), "a[b]-|")
    #expect(log.spans.map(\.subscribed) == [0, 1, 1].map { .seconds($0) })
    marbles.expect(.concat(source("a^"), source("b|")), "a^-")
    #expect(log.count == 4)
    marbles.expect(Observable<String, MarbleFailure>.concat([]), "|")
    let many = (0..<100_000).map { Observable([$0]) }
    #expect(Recorder(Observable.concat(many)).values.count == 100_000)
    let waiting = Subject<Observable<Int, Never>, Never>()
    let first = Subject<Int, Never>()
    let recorder = Recorder(waiting.concat())
    waiting.send(first.observable)
    for stream in many { waiting.send(stream) }
    waiting.finish()
    first.finish()
    #expect(recorder.values.count == 100_000 && recorder.ends == [.finished])
  }

  @Test("S-HANDLE-01: the beginning, then the end or the cancellation, once")
  func handleEvents() {
    let log = Log<String>()
    func observed(_ stream: Observable<Int, Never>) -> Observable<Int, Never> {
      stream.handleEvents {
        log.note("subscribed")
      } onValue: {
        log.note("\($0)")
      } onEnd: { _ in
        log.note("end")
      } onCancel: {
        log.note("cancel")
      }
    }
    _ = Recorder(observed(Observable([1, 2])))
    #expect(log.entries == ["subscribed", "1", "2", "end"])
    _ = Recorder(observed(Observable([1, 2])).prefix(1))
    #expect(log.entries.suffix(3) == ["subscribed", "1", "cancel"])
    Recorder(observed(.never)).cancel()
    #expect(log.entries.suffix(2) == ["subscribed", "cancel"])
  }

  @Test("S-MERGE-04: the other inputs are cancelled before the failure is delivered, so a retry in it finds them gone")
  func cancelledBeforeTheEnd() {
    for switches in [false, true] {
      let (failing, other) = (Subject<Int, TestError>(), Subject<Observable<Int, TestError>, TestError>())
      let counts = Log<Int>()
      let stream = switches ? other.switchToLatest() : other.merge()
      let recorder = Recorder(stream) { _ in counts.note(other.observerCount) }
      other.send(failing.observable)
      failing.fail(TestError())
      #expect(counts.entries == [0])
      #expect(recorder.ends == [.failed(TestError())])
    }
  }
}
