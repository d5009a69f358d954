import AsyncAlgorithms

/// The pipeline with AsyncStream and AsyncAlgorithms: each stage pulls, three tasks read.
struct AsyncAlgorithmsPipeline: NavigationInput {
  private let headings: AsyncStream<Int>.Continuation
  private let speeds: AsyncStream<Double>.Continuation
  private let readers: [Task<Void, Never>]

  init(_ tally: Tally) async {
    let (headings, headingInput) = AsyncStream.makeStream(of: Int.self)
    let (speeds, speedInput) = AsyncStream.makeStream(of: Double.self)
    let states = merge(headings.map { NavigationEvent.heading($0) }, speeds.map { NavigationEvent.speed($0) })
      .reductions(into: NavigationState()) { state, event in state.apply(event) }
      .share()
    let readiness = Readiness()
    readers = [
      Self.count(states.map { $0.heading }.removeDuplicates(), tally, readiness),
      Self.count(states.map { $0.speed }.removeDuplicates(), tally, readiness),
      Self.count(states.map { $0.satellites }.removeDuplicates(), tally, readiness),
    ]
    self.headings = headingInput
    self.speeds = speedInput
    // A shared sequence knows its readers from the moment they make an iterator.
    await readiness.wait(for: readers.count)
  }

  private static func count(
    _ values: some AsyncSequence<some Sendable, Never> & Sendable,
    _ tally: Tally,
    _ readiness: Readiness
  ) -> Task<Void, Never> {
    Task {
      var iterator = values.makeAsyncIterator()
      readiness.signal()
      while await iterator.next(isolation: nil) != nil { tally.increment() }
    }
  }

  @inline(never)
  func send(heading: Int) { headings.yield(heading) }

  @inline(never)
  func send(speed: Double) { speeds.yield(speed) }

  func finish() async {
    headings.finish()
    speeds.finish()
    for reader in readers { await reader.value }
  }
}

extension Shape {
  /// The pipeline with AsyncStream and AsyncAlgorithms; over when all readers have read everything.
  static let asyncAlgorithmsPipeline = Shape("pipeline-asyncalgorithms", events: 2_000) { events in
    let tally = Tally()
    let pipeline = await AsyncAlgorithmsPipeline(tally)
    return Run {
      pipeline.sendAlternately(events)
      await pipeline.finish()
    } proofs: {
      // Each reader hears of the first snapshot, which may or may not differ from the seed in what it reads.
      [Proof("deliveries", tally.count, isIn: events...events + 3)]
    }
  }
}
