import Aggregate
import Streams

// The blocks of the article "Migrating from RaspSwift".

enum LinkEvent: Sendable {
  case found(String)
  case forgotten(String)
}

struct LinksState: AggregateState {
  var links: Set<String> = []

  mutating func apply(_ event: LinkEvent) {
    switch event {
    case .found(let link): links.insert(link)
    case .forgotten(let link): links.remove(link)
    }
  }
}

/// - Returns: the tokens, and the aggregator.
func readLinks(
  crawler: Observable<String, Never>,
  cleaner: Observable<String, Never>
) -> ([Subscription], Aggregator<LinksState>) {
  let links = Aggregator(
    initial: LinksState(),
    sources: crawler.map(LinkEvent.found),
    cleaner.map(LinkEvent.forgotten)
  )
  let states = links.states.subscribe { print($0.links) }
  let count = links.select(\.links.count).subscribe { print($0) }

  links.send(.found("/books"))  // was manual(event:)
  links.replace(sources: crawler.map(LinkEvent.found))
  return ([states, count], links)
}

func changeSource(crawler: Observable<String, Never>) -> Aggregator<LinksState> {
  let source = EventSource<LinkEvent, Never>()
  let links = Aggregator(initial: LinksState(), sources: source.events)
  source.jump(to: crawler.map(LinkEvent.found))
  return links
}
