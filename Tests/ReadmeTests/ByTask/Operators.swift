import Streams

// "Streams that are combined" of the article "Programs by task".

func search(
  _ queries: Subject<String, Never>,
  with find: @escaping @Sendable (String) async throws -> [String],
  on time: some Scheduler
) -> Observable<[String], any Error> {
  queries
    .debounce(for: .milliseconds(300), on: time)
    .distinctUntilChanged()
    .setFailureType(to: (any Error).self)
    .map { query in Observable.task { try await find(query) } }
    .switchToLatest()
}

func soundings(
  _ depths: Observable<Int, Never>,
  at positions: Observable<String, Never>,
  on time: some Scheduler
) -> Observable<String, Never> {
  depths.timestamped(on: time)
    .withLatest(from: positions.timestamped(on: time))
    .compactMap { depth, position in
      depth.instant - position.instant <= .seconds(2) ? "\(depth.value)@\(position.value)" : nil
    }
}

func firstFix(_ fixes: Observable<Double, Never>, on time: some Scheduler) async -> Double? {
  await fixes.first(where: { $0 < 10 }, within: .seconds(10), on: time)
}
