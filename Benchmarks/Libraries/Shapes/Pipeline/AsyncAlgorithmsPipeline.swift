import AsyncAlgorithms

/// The pipeline with AsyncStream and AsyncAlgorithms: each stage pulls, three tasks read.
struct AsyncAlgorithmsPipeline: NavigationPipeline {
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
      readiness.read(states.map { $0.heading }.removeDuplicates(), into: ()) { _, _ in tally.increment() },
      readiness.read(states.map { $0.speed }.removeDuplicates(), into: ()) { _, _ in tally.increment() },
      readiness.read(states.map { $0.satellites }.removeDuplicates(), into: ()) { _, _ in tally.increment() },
    ]
    self.headings = headingInput
    self.speeds = speedInput
    await readiness.wait(for: readers.count)
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
  static let asyncAlgorithmsPipeline = navigation(
    events: 2_000,
    AsyncAlgorithmsPipeline.self,
    // Each reader gets the first snapshot, which may or may not differ from the seed in what it reads.
    initialDeliveries: 0...3
  )
}
