import Aggregate
import RASPTesting
import Streams
import TestSupport
import Testing

@Suite("Heterogeneous events")
struct AggregateEventTests {
  private struct Opened: AggregateEvent {
    let url: String
  }

  private struct Closed: AggregateEvent {}

  private struct Unrelated: AggregateEvent {}

  private struct Browser: AggregateState {
    var urls: [String] = []

    mutating func apply(_ event: any AggregateEvent) {
      switch event {
      case let event as Opened: urls.append(event.url)
      case is Closed: urls.removeLast()
      default: break
      }
    }
  }

  @Test("A state picks out what concerns it of streams of several event types, which fail in several ways")
  func picksOut() {
    let opened = Subject<Opened, Never>()
    let closed = Subject<Closed, TestError>()
    let aggregator = Aggregator(
      initial: Browser(),
      sources: opened.observable.asAggregateEvents(),
      closed.observable.asAggregateEvents()
    )
    let urls = Recorder(aggregator.select(\.urls).observable)
    let failures = Recorder(aggregator.sourceFailures)

    opened.send(Opened(url: "a"))
    opened.send(Opened(url: "b"))
    closed.send(Closed())
    aggregator.send(Unrelated())
    aggregator.send(Opened(url: "c"))
    closed.fail(TestError())

    #expect(urls.values == [[], ["a"], ["a", "b"], ["a"], ["a", "c"]])
    #expect(failures.values.count == 1)
  }

  @Test("Two domains pick from one stream, each what concerns it")
  func twoDomains() {
    struct Counter: AggregateState {
      var closed = 0

      mutating func apply(_ event: any AggregateEvent) {
        if event is Closed { closed += 1 }
      }
    }
    let everything = Subject<any AggregateEvent, Never>()
    let browser = Aggregator(initial: Browser(), sources: everything.observable)
    let counter = Aggregator(initial: Counter(), sources: everything.observable)

    everything.send(Opened(url: "a"))
    everything.send(Closed())

    #expect(browser.snapshot.urls.isEmpty)
    #expect(counter.snapshot.closed == 1)
  }
}
