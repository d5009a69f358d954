import Aggregate
import AggregateTestSupport
import RASPKeyed
import RASPTesting
import Streams
import TestSupport
import Testing

@Suite("Sources of keyed aggregators")
struct RowSourceTests {
  /// Two keys in different shards of three.
  private static let keys = [0, 1]

  private func makeJournals<Failure: Error>(
    shards: Int = 1,
    buffering policy: BufferingPolicy = .unbounded,
    _ source: Observable<Int, Failure>
  ) -> KeyedAggregator<Int, Journal> {
    let journals = KeyedAggregator(
      shards: shards,
      indexOf: { $0 % shards },
      by: { $0 % 100 },
      initial: { _ in Journal() },
      options: KeyedOptions(buffering: policy)
    )
    journals.add(source)
    return journals
  }

  @Test("KEY-10: a failing source is reported and detached, and the others carry on", arguments: [1, 3])
  func failure(shards: Int) {
    let bad = Subject<Int, TestError>()
    let good = Subject<Int, Never>()
    let journals = makeJournals(shards: shards, bad.observable)
    let failures = Recorder(journals.sourceFailures)
    let source = journals.add(good.observable)
    bad.send(101)
    bad.fail(TestError(code: 1))
    good.send(201)
    good.send(2)
    #expect(failures.values.map { $0.error as? TestError } == [TestError(code: 1)])
    #expect(journals.rows() == [1: Journal(entries: [101, 201]), 2: Journal(entries: [2])])
    #expect(journals.remove(source: source))
    #expect(!journals.remove(source: source))
    #expect(good.observerCount == 0)
  }

  @Test("KEY-10: a failure is reported behind all events that were accepted before, in whatever shard they wait")
  func failureBehindEvents() async {
    for held in Self.keys {
      let bad = Subject<Int, TestError>()
      let journals = makeJournals(shards: 3, bad.observable)
      let folded = Log<[Int: Journal]>()
      let failures = Recorder(journals.sourceFailures) { _ in folded.note(journals.rows()) }
      let gate = Gate(patience: longestWait)
      let token = journals[held].select(\.entries.count).subscribe { if $0 == 1 { gate.hold() } }
      await Threads.run {
        journals.send(held)
      } _: {
        gate.waitUntilHeld()
        for key in Self.keys { bad.send(key + 100) }
        bad.fail(TestError())
        #expect(failures.values.isEmpty)
        gate.open()
      }
      #expect(failures.values.count == 1)
      #expect(folded.last == journals.rows())
      #expect(Self.keys.allSatisfy { folded.last?[$0]?.entries.last == $0 + 100 })
      token.cancel()
    }
  }

  @Test("KEY-10: the events of a removed source that wait are dropped, in all shards")
  func removal() {
    for held in Self.keys {
      let source = Subject<Int, Never>()
      let journals = makeJournals(shards: 3, Observable<Int, Never>.never)
      let id = journals.add(source.observable)
      let token = journals[held].select(\.entries.count).subscribe { [unowned journals] count in
        guard count == 1 else { return }
        source.send(held + 100)
        journals.send(held + 200)
        journals.remove(source: id)
      }
      journals.send(held)
      source.send(held + 300)
      #expect(journals.rows() == [held: Journal(entries: [held, held + 200])])
      token.cancel()
    }
  }

  @Test("KEY-10: replacing the sources ends the old ones and leaves the rows as they are")
  func replacing() {
    let (old, new) = (Subject<Int, Never>(), Subject<Int, TestError>())
    let journals = makeJournals(old.observable)
    old.send(1)
    journals.replace(sources: new.observable)
    old.send(101)
    new.send(201)
    #expect(journals.rows() == [1: Journal(entries: [1, 201])])
    #expect(old.observerCount == 0 && new.observerCount == 1)
  }

  @Test("KEY-10: the bound of the line drops what is too much, and says so")
  func bound() {
    let journals = makeJournals(buffering: .oldest(2), Observable<Int, Never>.never)
    let answers = Log<Bool>()
    let token = journals.events.subscribe { [unowned journals] event in
      guard event == 1 else { return }
      for number in [101, 201, 301, 401] { answers.note(journals.send(number)) }
      answers.note(journals.send(contentsOf: [501]))
      #expect(journals.pendingCount == 2)
    }
    journals.send(1)
    #expect(answers.entries == [true, true, false, false, false])
    #expect(journals[1].current == Journal(entries: [1, 101, 201]))
    #expect(journals.droppedCount == 3)
    #expect(journals.pendingCount == 0)
    token.cancel()
  }

  @Test(
    "KEY-10: several events at once: nothing comes between those of one shard, and each has a round",
    arguments: [1, 3]
  )
  func severalAtOnce(shards: Int) {
    let journals = makeJournals(shards: shards, Observable<Int, Never>.never)
    let counts = Recorder(journals[1].select(\.entries.count).observable) { [unowned journals] event in
      if case .value(1) = event { journals.send(901) }
    }
    #expect(journals.send(contentsOf: [1, 2, 101, 102, 201]))
    #expect(journals.rows() == [1: Journal(entries: [1, 101, 201, 901]), 2: Journal(entries: [2, 102])])
    #expect(counts.values == [nil, 1, 2, 3, 4])
    #expect(journals.send(contentsOf: []))
    journals.finish()
    #expect(!journals.send(contentsOf: [1, 2]))
    #expect(!journals.send(contentsOf: []))
    #expect(!journals.send(1))
  }

  @Test("KEY-10: the health of named sources is one for all shards", arguments: [1, 3])
  func health(shards: Int) {
    let time = VirtualScheduler()
    let journals = makeJournals(shards: shards, Observable<Int, Never>.never)
    let (wind, depth) = (Subject<Int, TestError>(), Subject<Int, Never>())
    let changes = Recorder(journals.health.changes.map(\.name))
    let id = journals.add(wind.observable, as: "wind", on: time)
    journals.add(depth.observable, as: "depth", on: time)
    #expect(journals.health.sources.map(\.name) == ["wind", "depth"])
    time.advance(by: .seconds(3))
    for key in Self.keys { wind.send(key) }
    #expect(journals.health["wind"]?.eventCount == Self.keys.count)
    #expect(journals.health["wind"]?.lastEvent == .seconds(3))
    #expect(journals.health["wind"]?.source == id)
    wind.fail(TestError())
    guard case .failed = journals.health["wind"]?.status else {
      Issue.record("The source has not failed.")
      return
    }
    depth.finish()
    guard case .ended = journals.health["depth"]?.status else {
      Issue.record("The source has not ended.")
      return
    }
    #expect(changes.values.last == "depth")
    #expect(journals.health["tide"] == nil)
  }
}
