import OpenCombine

/// The pipeline with OpenCombine. It has no `merge`; a `flatMap` over the publishers is one.
struct OpenCombinePipeline: NavigationPipeline {
  let headings = PassthroughSubject<Int, Never>()
  let speeds = PassthroughSubject<Double, Never>()
  let cancellables: [AnyCancellable]

  init(_ tally: Tally) {
    let sources = [
      headings.map(NavigationEvent.heading).eraseToAnyPublisher(),
      speeds.map(NavigationEvent.speed).eraseToAnyPublisher(),
    ]
    let states = sources.publisher
      .flatMap { $0 }
      .scan(NavigationState()) { state, event in
        var state = state
        state.apply(event)
        return state
      }
      .share()
    cancellables = [
      states.map(\.heading).removeDuplicates().sink { _ in tally.increment() },
      states.map(\.speed).removeDuplicates().sink { _ in tally.increment() },
      states.map(\.satellites).removeDuplicates().sink { _ in tally.increment() },
    ]
  }

  @inline(never)
  func send(heading: Int) { headings.send(heading) }

  @inline(never)
  func send(speed: Double) { speeds.send(speed) }
}

extension Shape {
  /// The pipeline with OpenCombine.
  static let openCombinePipeline = navigation(
    events: 2_000,
    OpenCombinePipeline.self,
    // The first snapshot reaches all three; it differs from the seed in the speed.
    initialDeliveries: 2...2
  )
}
