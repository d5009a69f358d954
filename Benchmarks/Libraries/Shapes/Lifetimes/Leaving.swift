import Aggregate
import RASPCommands
import Streams

/// The order in which subscribers leave.
enum Departure: String, Sendable {
  case inOrder = "in-order"
  case atRandom = "at-random"

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
private struct LinearCongruence: RandomNumberGenerator {
  var state: UInt64 = 42

  mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return state ^ (state >> 32)
  }
}

private struct Beat: Command {
  typealias Output = Int
}

extension Shape {
  /// Subscribers of one subject that are cancelled one by one. An event is one that leaves.
  static func leavingSubject(_ departure: Departure) -> Shape {
    leaving("leaving-subject", departure) { tally in
      let subject = Subject<Int, Never>()
      return (
        { subject.subscribe { _ in tally.increment() } },
        { subject.send(1) }
      )
    }
  }

  /// Subscribers of as many selections of one aggregator.
  static func leavingSelections(_ departure: Departure) -> Shape {
    leaving("leaving-selections", departure) { tally in
      let aggregator = Aggregator(initial: NavigationState())
      return (
        // Without a comparison that says they are the same, each is told of each event.
        { aggregator.select({ $0.heading }, by: { _, _ in false }).subscribe { if $0 > 0 { tally.increment() } } },
        { aggregator.send(.heading(1)) }
      )
    }
  }

  /// Reactions to one command of one engine.
  static func leavingReactions(_ departure: Departure) -> Shape {
    leaving("leaving-reactions", departure) { tally in
      let engine = Engine()
      try engine.use(Beat.self, synchronously: { _, _ in 1 })
      return (
        { engine.react(to: Beat.self, consume: { _ in tally.increment() }) },
        { engine.execute(Beat()) }
      )
    }
  }

  /// - Parameter open: returns what subscribes, and what tells all subscribers.
  private static func leaving(
    _ name: String,
    _ departure: Departure,
    _ open: @escaping @Sendable (Tally) throws -> (subscribe: () -> Subscription, tell: () -> Void)
  ) -> Shape {
    Shape("\(name)-\(departure.rawValue)", events: 100_000) { events in
      let tally = Tally()
      let (subscribe, tell) = try open(tally)
      let leaving = departure.arrange((0..<events).map { _ in subscribe() })
      let staying = subscribe()
      tell()
      let told = tally.count
      return Run {
        for subscription in leaving { subscription.cancel() }
      } proofs: {
        tell()
        return [
          Proof("subscribers told before", told, is: events + 1),
          Proof("subscribers told after all but one have left", tally.count - told, is: 1),
          Proof("the one that stays", staying.isActive ? 1 : 0, is: 1),
        ]
      }
    }
  }
}
