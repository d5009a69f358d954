import Aggregate
import RASPInsight
import RASPTesting
import Streams
import TestSupport
import Testing

@Suite struct DeliveredCauseTests {
  @Test func anEventSentInARoundNamesTheEventOfTheRound() {
    let (source, target) = (Traced(), Traced())
    let token = source.aggregator.events.subscribe { target.send("after \($0)") }
    source.send("one")
    target.send("from outside")
    source.send("two")
    #expect(target.causes["after one"] == source.identity("one"))
    #expect(target.causes["after two"] == source.identity("two"))
    #expect(target.causes["from outside"] == .unknown)
    #expect(source.causes == ["one": .unknown, "two": .unknown])
    token.cancel()
  }

  /// What stands between two aggregators and keeps nothing.
  enum Way: CaseIterable {
    case map, merge, switchToLatest, combineLatest, withLatest, share, prepend, unrecorded, states

    func link(_ source: Traced, to target: Traced) -> [any Sendable] {
      let words = source.aggregator.events
      let other = Subject<String, Never>(initial: "other")
      let stream: Observable<String, Never>
      var kept: [any Sendable] = [other]
      switch self {
      case .map: stream = words.map { $0 }.filter { !$0.isEmpty }
      case .merge: stream = words.merge(with: Subject<String, Never>().observable)
      case .switchToLatest: stream = words.map { Observable([$0]) }.switchToLatest()
      case .combineLatest: stream = Observable.combineLatest(words, other.observable).map { $0.0 }
      case .withLatest: stream = words.withLatest(from: other).map { $0.0 }
      case .share: stream = words.share()
      case .prepend: stream = words.prepend("first")
      case .unrecorded:
        let between = Aggregator(initial: Words())
        kept += [between, words.subscribe { between.send($0) }]
        stream = between.events
      case .states: stream = source.aggregator.select(\.words).observable.compactMap { $0.last }
      }
      return kept + [stream.subscribe { target.send($0) }]
    }
  }

  @Test(arguments: Way.allCases)
  func whatKeepsNothingPassesTheCauseOn(_ way: Way) {
    let (source, target) = (Traced(), Traced())
    let kept = way.link(source, to: target)
    source.send("one")
    source.send("two")
    #expect(target.causes["one"] == source.identity("one"))
    #expect(target.causes["two"] == source.identity("two"))
    #expect(target.causes["first", default: .unknown] == .unknown)
    withExtendedLifetime(kept) {}
  }

  @Test func whatWaitsForAnotherThreadTakesItsCauseAlong() async {
    let (left, right, target) = (Traced(), Traced(), Traced())
    let subject = Subject<String, Never>()
    let (leftBegan, rightSent) = (Gate(patience: longestWait), Gate(patience: longestWait))
    let tokens = [
      subject.subscribe { word in
        if word == "left" {
          leftBegan.open()
          rightSent.hold()
        }
        target.send(word)
      },
      left.aggregator.events.subscribe { subject.send($0) },
      right.aggregator.events.subscribe { subject.send($0) },
    ]
    await Threads.run(
      { left.send("left") },
      {
        leftBegan.hold()
        right.send("right")
        subject.send("from outside")
        rightSent.open()
      }
    )
    #expect(target.aggregator.snapshot.words == ["left", "right", "from outside"])
    #expect(target.causes["left"] == left.identity("left"))
    #expect(target.causes["right"] == right.identity("right"))
    #expect(target.causes["from outside"] == .unknown)
    for token in tokens { token.cancel() }
  }

  @Test func whatATaskDeliversForOthersDoesNotGetItsCause() async {
    let target = Traced()
    let subject = Subject<String, Never>()
    let token = subject.subscribe { word in
      // Another thread sends, which is joined, so this task delivers that too.
      if word == "own" { Threads.run({ subject.send("foreign") }) }
      target.send(word)
    }
    await inTask(of: elsewhere) { _ = subject.send("own") }
    #expect(target.causes["own"] == elsewhere)
    #expect(target.causes["foreign"] == .unknown)
    token.cancel()
  }

  @Test func aTaskDeliversForARoundWithTheCauseOfTheRound() async {
    let (source, target) = (Traced(), Traced())
    let subject = Subject<String, Never>()
    let tokens = [
      subject.subscribe { word in
        if word == "own" { Threads.run({ source.send("round") }) }
        target.send(word)
      },
      source.aggregator.events.subscribe { subject.send($0) },
    ]
    await inTask(of: elsewhere) { _ = subject.send("own") }
    #expect(target.causes["round"] == source.identity("round"))
    #expect(source.causes["round"] == .unknown)
    for token in tokens { token.cancel() }
  }

  @Test func aRoundInATaskWithACauseNamesItsEventAndNotTheTask() async {
    let (source, target) = (Traced(), Traced())
    let token = source.aggregator.events.subscribe { target.send($0) }
    await inTask(of: elsewhere) { source.send("word") }
    #expect(source.causes["word"] == elsewhere)
    #expect(target.causes["word"] == source.identity("word"))
    token.cancel()
  }

  @Test func aHundredThousandEventsThatCauseEachOtherFormAChain() {
    let traced = Traced(last: 100_000)
    let token = traced.aggregator.events.subscribe { word in
      if word.utf8.count < 8, let number = Int(word), number < 100_000 { traced.send("\(number + 1)") }
    }
    traced.send("1")
    let recording = traced.recorder.recording
    #expect(recording.entries.count == 100_000)
    #expect(recording.entries.first?.cause == .unknown)
    let isChain = recording.entries.dropFirst().allSatisfy {
      $0.cause == Cause(lane: recording.lane, number: $0.number - 1)
    }
    #expect(isChain)
    token.cancel()
  }

  @Test func twoAggregatorsThatSendToEachOtherFormOneChain() {
    let (left, right) = (Traced(last: 2_000), Traced(last: 2_000))
    let tokens = [
      left.aggregator.events.subscribe { if let number = Int($0), number < 2_000 { right.send("\(number + 1)") } },
      right.aggregator.events.subscribe { if let number = Int($0), number < 2_000 { left.send("\(number + 1)") } },
    ]
    left.send("1")
    let (leftCauses, rightCauses) = (left.causes, right.causes)
    let (leftLane, rightLane) = (left.recorder.recording.lane, right.recorder.recording.lane)
    #expect(leftCauses.count == 1_000 && rightCauses.count == 1_000)
    for number in 2...2_000 {
      let isRight = number.isMultiple(of: 2)
      let cause = (isRight ? rightCauses : leftCauses)["\(number)"]
      #expect(cause == Cause(lane: isRight ? leftLane : rightLane, number: number / 2))
    }
    for token in tokens { token.cancel() }
  }

  @Test func aRecorderThatIsMadeInARoundNamesWhatComesAfterwards() {
    let aggregator = Aggregator(initial: Words())
    let (insight, target) = (Insight(), Traced())
    let recorder = Box<FlightRecorder<Words>>()
    let token = aggregator.events.subscribe { word in
      if word == "made here" { recorder.value = insight.record(aggregator, as: "late") }
      if word == "released here" { recorder.take() }
      target.send(word)
    }
    for word in ["before", "made here", "recorded", "released here", "after"] { aggregator.send(word) }
    #expect(target.causes["before"] == .unknown)
    #expect(target.causes["made here"] == .unknown)
    #expect(target.causes["recorded"]?.number == 1)
    #expect(target.causes["released here"]?.number == 2)
    #expect(target.causes["after"] == .unknown)
    token.cancel()
  }

  @Test func aSecondRecordingHasOtherIdentities() {
    let aggregator = Aggregator(initial: Words())
    let (insight, target) = (Insight(), Traced())
    let token = aggregator.events.subscribe { target.send($0) }
    var recorder: FlightRecorder<Words>? = insight.record(aggregator, as: "first")
    aggregator.send("one")
    recorder = nil
    recorder = insight.record(aggregator, as: "second")
    aggregator.send("two")
    let causes = target.causes
    #expect(causes["one"]?.number == 1)
    #expect(causes["two"]?.number == 1)
    #expect(causes["one"]?.lane != causes["two"]?.lane)
    token.cancel()
    withExtendedLifetime(recorder) {}
  }

  @Test func anEventThatIsRefusedIsACauseToo() {
    struct Picky: AggregateState {
      struct Refused: Error {}

      mutating func apply(_ event: Int) throws(Refused) { throw Refused() }
    }
    let (aggregator, target, insight) = (Aggregator(initial: Picky()), Traced(), Insight())
    let recorder = insight.record(aggregator, as: "picky")
    let token = aggregator.rejections.subscribe { target.send("refused \($0.event)") }
    aggregator.send(3)
    let recording = recorder.recording
    #expect(target.causes["refused 3"] == recording.entries.first.map { recording.cause(of: $0) })
    token.cancel()
  }
}
