import Aggregate
import RASPTesting
import Streams
import TestSupport
import Testing

/// The recipes of the article "Migrating from RxSwift", run.
@Suite("Migrating from RxSwift", .endsInTime)
struct MigratingFromRxSwift {
  func headings(of compass: Compass) -> Observable<Double, Never> {
    Observable { producer in
      let id = compass.register { heading in producer.send(heading) }
      producer.onTermination { compass.unregister(id) }
    }
  }

  func results(
    for queries: Observable<String, Never>,
    from server: Server,
    on time: some Scheduler = .continuous
  ) -> Observable<[String], Never> {
    queries
      .debounce(for: .milliseconds(300), on: time)
      .distinctUntilChanged()
      .map { query in
        Observable.task { try await server.search(query) }.catch { _ in Observable<[String], Never>([[]]) }
      }
      .switchToLatest()
  }

  struct SearchState: AggregateState {
    enum Event: Sendable {
      case typed(String)
      case found([String])
    }

    var query = ""
    var results: [String] = []
    var isSearching = false

    mutating func apply(_ event: Event) {
      switch event {
      case .typed(let query):
        self.query = query
        isSearching = true
      case .found(let results):
        self.results = results
        isSearching = false
      }
    }
  }

  final class Compass: Sendable {
    let callbacks = Log<@Sendable (Double) -> Void>()
    let unregistered = Log<Int>()

    func register(_ callback: @escaping @Sendable (Double) -> Void) -> Int {
      callbacks.note(callback)
      return callbacks.count
    }

    func unregister(_ id: Int) { unregistered.note(id) }
  }

  struct Server: Sendable {
    func search(_ query: String) async throws -> [String] {
      if query.isEmpty { throw TestError() }
      return [query + "!"]
    }
  }

  struct Spinner: Sendable {
    let shown = Log<Bool>()

    func show(_ isShown: Bool) { shown.note(isShown) }
  }

  @Test("callbacks as a stream")
  func callbacks() {
    let compass = Compass()
    let recorder = Recorder(headings(of: compass))
    compass.callbacks.last?(90)
    recorder.cancel()
    #expect(recorder.values == [90])
    #expect(compass.unregistered.entries == [1])
  }

  @Test("a search, and relays that belong together")
  func searching() async {
    let (server, time, bag, spinner) = (Server(), VirtualScheduler(), SubscriptionBag(), Spinner())
    let search = search(with: server, on: time, showing: spinner, bag: bag)
    search.send(.typed("rasp"))
    time.advance(by: .milliseconds(300))
    #expect(await eventually { search.snapshot.results == ["rasp!"] })
    #expect(await eventually { spinner.shown.entries == [false, true, false] })
  }

  private func search(
    with server: Server,
    on time: some Scheduler,
    showing spinner: Spinner,
    bag: SubscriptionBag
  ) -> Aggregator<SearchState> {
    let search = Aggregator(initial: SearchState())
    let queries = search.select(\.query).observable.dropFirst()
    search.add(results(for: queries, from: server, on: time).map(SearchState.Event.found))
    search.select(\.isSearching).subscribe { spinner.show($0) }.store(in: bag)
    return search
  }
}
