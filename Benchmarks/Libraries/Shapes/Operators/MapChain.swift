import Streams

/// How many operators the chains have. An event through one of them counts as one event of the shape, so what sending
/// costs is divided by it and counts against the operator.
private let stages = 16

extension Shape {
  /// A subject, a chain of `map`, an observer at its end. An event is a value at one stage.
  static let mapChain = Shape("map-chain", events: 3_200_000) { events in
    let tally = Tally()
    let subject = Subject<Int, Never>()
    var stream = subject.observable
    for _ in 0..<stages { stream = appendingMap(stream) }
    let subscription = stream.subscribe { value in
      if value >= stages { tally.increment() }
    }
    let rounds = events / stages
    return Run {
      for round in 0..<rounds { subject.send(round) }
    } proofs: {
      [
        Proof("deliveries", tally.count, is: rounds),
        Proof("subscriptions", subscription.isActive ? 1 : 0, is: 1),
      ]
    }
  }

  /// The same with closures that each call the next one.
  static let closureChain = Shape("closure-chain", events: 3_200_000) { events in
    let tally = Tally()
    var call: @Sendable (Int) -> Void = { value in
      if value >= stages { tally.increment() }
    }
    for _ in 0..<stages { call = prependingCall(call) }
    let first = call
    let rounds = events / stages
    return Run {
      for round in 0..<rounds { first(round) }
    } proofs: {
      [Proof("deliveries", tally.count, is: rounds)]
    }
  }
}

@inline(never)
private func appendingMap(_ stream: Observable<Int, Never>) -> Observable<Int, Never> {
  stream.map { $0 &+ 1 }
}

@inline(never)
private func prependingCall(_ next: @escaping @Sendable (Int) -> Void) -> @Sendable (Int) -> Void {
  { next($0 &+ 1) }
}
