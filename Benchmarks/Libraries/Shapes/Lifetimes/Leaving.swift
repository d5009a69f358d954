import Streams

/// The order in which subscribers leave.
enum Departure: Sendable {
  case inOrder
  case atRandom

  func arrange(_ subscriptions: [Subscription]) -> [Subscription] {
    switch self {
    case .inOrder: return subscriptions
    case .atRandom:
      var generator = LinearCongruence()
      return subscriptions.shuffled(using: &generator)
    }
  }
}

/// Random numbers that are the same in each run.
struct LinearCongruence: RandomNumberGenerator {
  var state: UInt64 = 42

  mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return state ^ (state >> 32)
  }
}

extension Shape {
  /// Subscribers of one subject that are cancelled one by one. An event is one that leaves.
  static func leaving(_ departure: Departure) -> Shape {
    Shape(events: 30_000) { events in
      let tally = Tally()
      let subject = Subject<Int, Never>()
      let leaving = departure.arrange((0..<events).map { _ in subject.subscribe { _ in tally.increment() } })
      let staying = subject.subscribe { _ in tally.increment() }
      subject.send(1)
      let told = tally.count
      return Run {
        for subscription in leaving { subscription.cancel() }
      } proofs: {
        subject.send(1)
        return [
          Proof("subscribers told before", told, is: events + 1),
          Proof("subscribers told after all but one have left", tally.count - told, is: 1),
          Proof("the one that stays", staying.isActive ? 1 : 0, is: 1),
        ]
      }
    }
  }
}
