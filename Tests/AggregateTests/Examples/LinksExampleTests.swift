import Aggregate
import RASPTesting
import Streams
import TestSupport
import Testing

/// Events of any type, two timers, the first five, and a derived count.
@Suite("The example of the links")
struct LinksExampleTests {
  private struct LinkFound: AggregateEvent {
    let url: String
  }

  private struct LinkLost: AggregateEvent {}

  private struct LinkState: AggregateState {
    var links: [String] = []

    mutating func apply(_ event: any AggregateEvent) {
      switch event {
      case let event as LinkFound: links.append(event.url)
      case is LinkLost: if !links.isEmpty { links.removeFirst() }
      default: break
      }
    }
  }

  private static let linkCount = StateSelector { (state: LinkState) in state.links.count }

  @Test("Two timers, merged, of which the first five ticks are taken, and a selector that counts links")
  func links() {
    let time = VirtualScheduler()
    let found = Observable.interval(.seconds(2), on: time).map { LinkFound(url: "/\($0)") }
    let lost = Observable.interval(.seconds(5), on: time).map { _ in LinkLost() }
    let ticks = Observable.merge(found.asAggregateEvents(), lost.asAggregateEvents()).prefix(5)
    let aggregator = Aggregator(initial: LinkState(), sources: ticks)
    let lines = Log<String>()
    let bag = SubscriptionBag()
    defer { bag.cancel() }
    aggregator.states.subscribe { state in
      lines.note("\(time.now.components.seconds) s: \(state.links.joined(separator: " "))")
    }.store(in: bag)
    aggregator.select(Self.linkCount).subscribe { count in
      lines.note("\(time.now.components.seconds) s: \(count) links")
    }.store(in: bag)

    time.advance(by: .seconds(60))

    #expect(
      lines.entries == [
        "0 s: ",
        "0 s: 0 links",
        "2 s: /0",
        "2 s: 1 links",
        "4 s: /0 /1",
        "4 s: 2 links",
        "5 s: /1",
        "5 s: 1 links",
        "6 s: /1 /2",
        "6 s: 2 links",
        "8 s: /1 /2 /3",
        "8 s: 3 links",
      ]
    )
    #expect(time.pending.isEmpty, "After five ticks both timers are released.")
  }

  @Test("The aggregator stays open when its timers are through, and takes more by hand")
  func afterTheTimers() {
    let time = VirtualScheduler()
    let found = Observable.interval(.seconds(1), on: time).prefix(2).map { LinkFound(url: "/\($0)") }
    let aggregator = Aggregator(initial: LinkState(), sources: found.asAggregateEvents())
    let counts = Recorder(aggregator.select(Self.linkCount).observable)

    #expect(time.run())
    aggregator.send(LinkLost())
    aggregator.send(LinkFound(url: "/by/hand"))
    aggregator.send(LinkFound(url: "/too"))

    #expect(counts.values == [0, 1, 2, 1, 2, 3])
    #expect(aggregator.snapshot.links == ["/1", "/by/hand", "/too"])
  }
}
