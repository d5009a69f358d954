import AggregateTestSupport
import RASPTesting
import Streams
import TestSupport
import Testing

@testable import Aggregate

@Suite("Sources")
struct SourceTests {
  private struct Damaged: Error {}

  @Test("AGG-08: a failing source is detached and reported, and the others carry on")
  func failingSource() {
    let good = Subject<Int, Never>()
    let bad = Subject<Int, TestError>()
    let worse = Subject<Int, any Error>()
    let aggregator = Aggregator(
      initial: Journal(),
      sources: good.observable,
      bad.observable,
      worse.observable
    )
    let failures = Recorder(aggregator.sourceFailures)
    let states = Recorder(aggregator.states.map(\.entries.count))

    bad.send(1)
    bad.fail(TestError(code: 1))
    good.send(2)
    aggregator.send(3)
    worse.send(4)
    worse.fail(Damaged())
    good.send(5)

    #expect(aggregator.snapshot.entries == [1, 2, 3, 4, 5])
    #expect(failures.values.count == 2)
    #expect(failures.values.first?.error as? TestError == TestError(code: 1))
    #expect(failures.values.last?.error is Damaged)
    #expect(failures.ends.isEmpty)
    #expect(states.values == [0, 1, 2, 3, 4, 5])
    #expect(states.ends.isEmpty)
    #expect(good.observerCount == 1)
  }

  @Test("Rule 4: events of two subjects are folded in the order in which they arrive; those that are sent, in theirs")
  func orderOfSources() {
    let (first, second) = (Subject<Int, Never>(), Subject<Int, Never>())
    let aggregator = Aggregator(initial: Journal(), sources: first.observable, second.observable)
    let token = aggregator.events.subscribe { event in
      switch event {
      case 1:
        second.send(2)
        first.send(10)
      case 3:
        aggregator.send(4)
        aggregator.send(5)
      default: break
      }
    }
    second.send(1)
    #expect(aggregator.snapshot.entries == [1, 10, 2])
    aggregator.send(3)
    #expect(aggregator.snapshot.entries == [1, 10, 2, 3, 4, 5])
    withExtendedLifetime(token) {}
  }

  @Test("AGG-08: the failure names the source that was added, and that source is gone by then")
  func failureNamesTheSource() {
    let aggregator = Aggregator(initial: Journal())
    let removable = Log<Bool>()
    let failures = Recorder(aggregator.sourceFailures) { event in
      if case .value(let failure) = event { removable.note(aggregator.remove(source: failure.source)) }
    }
    let subject = Subject<Int, TestError>()
    let other = aggregator.add(Subject<Int, TestError>().observable)
    let source = aggregator.add(subject.observable)

    subject.fail(TestError())

    #expect(failures.values.map(\.source) == [source])
    #expect(source != other)
    #expect(removable.entries == [false])
  }

  @Test("AGG-08: what a source sent before it failed is folded, also if it had to wait in line")
  func eventsBeforeFailure() {
    let aggregator = Aggregator(initial: Journal())
    let failures = Recorder(aggregator.sourceFailures)
    let feeder = Recorder(aggregator.events) { event in
      guard case .value(0) = event else { return }
      aggregator.add(
        Observable<Int, TestError> { producer in
          producer.send(1)
          producer.send(2)
          producer.fail(TestError())
        }
      )
    }

    aggregator.send(0)

    #expect(feeder.values == [0, 1, 2])
    #expect(aggregator.snapshot.entries == [0, 1, 2])
    #expect(failures.values.count == 1)
  }

  @Test("AGG-08: a source can replace one that failed, from inside the report")
  func replaceFailed() {
    let subject = Subject<Int, TestError>()
    let spare = Subject<Int, Never>()
    let aggregator = Aggregator(initial: Journal(), sources: subject.observable)
    let failures = Recorder(aggregator.sourceFailures) { event in
      if case .value = event { aggregator.add(spare.observable) }
    }

    subject.send(1)
    subject.fail(TestError())
    spare.send(2)

    #expect(failures.values.count == 1)
    #expect(aggregator.snapshot.entries == [1, 2])
  }

  @Test("AGG-09: when one source, or all, have finished, it stays open for events by hand")
  func finishedSources() {
    let subject = Subject<Int, Never>()
    let aggregator = Aggregator(initial: Journal(), sources: Observable([1, 2]), subject.observable)
    let states = Recorder(aggregator.states.map(\.entries))
    let failures = Recorder(aggregator.sourceFailures)

    subject.send(3)
    subject.finish()
    #expect(aggregator.send(4))

    #expect(states.values == [[1, 2], [1, 2, 3], [1, 2, 3, 4]])
    #expect(states.ends.isEmpty)
    #expect(failures.records.isEmpty)
    #expect(!Aggregator(initial: Journal()).snapshot.entries.contains(0))
  }

  @Test("AGG-09: without any source it is open, too")
  func withoutSources() {
    let aggregator = Aggregator(initial: Journal())
    let states = Recorder(aggregator.states)

    #expect(aggregator.send(1))

    #expect(states.values.map(\.entries) == [[], [1]])
    #expect(states.ends.isEmpty)
  }

  @Test("AGG-20: a source can be added while running; after its removal nothing of it is folded")
  func addAndRemove() {
    let aggregator = Aggregator(initial: Journal())
    let subject = Subject<Int, Never>()
    subject.send(0)
    let source = aggregator.add(subject.observable)
    subject.send(1)

    #expect(aggregator.remove(source: source))
    #expect(subject.observerCount == 0)
    subject.send(2)
    #expect(!aggregator.remove(source: source))

    #expect(aggregator.snapshot.entries == [1])
  }

  @Test("AGG-20: events of a removed source that wait in line are dropped")
  func removedInLine() {
    let aggregator = Aggregator(initial: Journal())
    let subject = Subject<Int, Never>()
    let other = Subject<Int, Never>()
    let source = aggregator.add(subject.observable)
    aggregator.add(other.observable)
    let events = Recorder(aggregator.events) { event in
      guard case .value(1) = event else { return }
      subject.send(2)
      other.send(3)
      subject.send(4)
      aggregator.remove(source: source)
    }

    subject.send(1)

    #expect(events.values == [1, 3])
    #expect(aggregator.snapshot.entries == [1, 3])
  }

  @Test("AGG-20: events of a finished source that wait in line are folded, and then it is forgotten")
  func finishedInLine() {
    let aggregator = Aggregator(initial: Journal())
    let subject = Subject<Int, Never>()
    let source = aggregator.add(subject.observable)
    let events = Recorder(aggregator.events) { event in
      guard case .value(1) = event else { return }
      subject.send(2)
      subject.send(3)
      subject.finish()
    }

    subject.send(1)

    #expect(events.values == [1, 2, 3])
    #expect(!aggregator.remove(source: source))
  }

  private func remembersRemoved(_ aggregator: Aggregator<Journal>) -> Bool {
    aggregator.core.sources.hasRemoved.load(ordering: .acquiring)
  }

  @Test("the identity of a removed source is forgotten, also if the source had ended while the aggregator was busy")
  func removedAfterItsEnd() {
    let aggregator = Aggregator(initial: Journal())
    let (subject, other) = (Subject<Int, Never>(), Subject<Int, Never>())
    let source = aggregator.add(subject.observable)
    aggregator.add(other.observable)
    let events = Recorder(aggregator.events) { event in
      guard case .value(1) = event else { return }
      subject.send(2)
      subject.finish()
      aggregator.remove(source: source)
    }

    other.send(1)

    #expect(events.values == [1])
    #expect(!remembersRemoved(aggregator))
  }

  @Test("the identity of a removed source is forgotten, also if the source had released its subscriber")
  func removedAfterItsFeed() {
    let aggregator = Aggregator(initial: Journal())
    let source = aggregator.add(Observable<Int, Never>.never)
    #expect(aggregator.remove(source: source))
    #expect(!remembersRemoved(aggregator))
    for _ in 0..<2 { aggregator.replace(sources: Observable<Int, Never>.never) }
    #expect(!remembersRemoved(aggregator))
  }

  @Test("AGG-20: a source can be removed from inside its own event, and the rest of its burst is dropped")
  func removeInsideOwnEvent() {
    let aggregator = Aggregator(initial: Journal())
    let start = Subject<Void, Never>()
    let burst = start.map { Observable(1...5) }.switchToLatest()
    let source = aggregator.add(burst)
    let events = Recorder(aggregator.events) { event in
      if case .value(3) = event { aggregator.remove(source: source) }
    }

    start.send(())
    start.send(())

    #expect(events.values == [1, 2, 3])
    #expect(start.observerCount == 0)
  }

  @Test("A source added twice is two sources")
  func addedTwice() {
    let aggregator = Aggregator(initial: Journal())
    let subject = Subject<Int, Never>()
    let first = aggregator.add(subject.observable)
    let second = aggregator.add(subject.observable)
    subject.send(1)

    #expect(first != second)
    #expect(Set([first, second]).count == 2)
    aggregator.remove(source: first)
    subject.send(2)

    #expect(aggregator.snapshot.entries == [1, 1, 2])
  }

  @Test("A source that ends while it is being subscribed to leaves nothing behind")
  func endsAtOnce() {
    let aggregator = Aggregator(initial: Journal())
    let failures = Recorder(aggregator.sourceFailures)

    let finished = aggregator.add(Observable([1, 2, 3]))
    let failed = aggregator.add(Observable<Int, TestError> { $0.fail(TestError()) })

    #expect(aggregator.snapshot.entries == [1, 2, 3])
    #expect(failures.values.map(\.source) == [failed])
    #expect(!aggregator.remove(source: finished))
    #expect(!aggregator.remove(source: failed))
  }

  @Test("sources are released in the order in which they were added: at the end, and when others replace them")
  func tearDownOrder() {
    let log = Log<Int>()
    let sources = (0..<20).map { number in
      Observable<Int, Never> { producer in
        producer.onTermination {
          _ = producer
          log.note(number)
        }
      }
    }
    let finished = Aggregator(initial: Journal())
    for source in sources { finished.add(source) }
    finished.finish()
    #expect(log.entries == Array(0..<20))

    let redirected = Aggregator(initial: Journal())
    for source in sources { redirected.add(source) }
    redirected.replace(sources: Observable<Int, Never>([]))
    #expect(log.entries.count == 40)
    #expect(log.entries.suffix(20) == Array(0..<20)[...])
  }
}
