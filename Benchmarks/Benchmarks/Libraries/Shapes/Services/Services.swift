import Services

extension Shape {
  /// A cluster of so many services, each with a store of its own that reacts to a type of action of its own; one of them is
  /// sent to.
  static func services(_ count: Int) -> Shape {
    Shape("services-\(count)", events: 20_000) { events in
      let tally = Tally()
      let others = DifferentTypes.prefix(count - 1).map(IdleService.init)
      let cluster = try await Bootstrap {
        for service in others.prefix(count / 2) { service }
        CountingService(tally: tally)
        for service in others.dropFirst(count / 2) { service }
      }
      return Run {
        for event in 0..<events { try await cluster.send(action: Count(step: event)) }
      } proofs: {
        [Proof("mutations", tally.count, is: events)]
      }
    }
  }
}

private struct Count: Action {
  var step: Int
}

private struct Idle<Kind>: Action {}

private struct Total: Sendable {
  var value = 0
}

private struct CountingService: Service {
  let tally: Tally

  var body: some Service {
    Store(model: Total.self)
      .mutate(on: Count.self) { total, action, _ in
        total.value &+= action.step
        tally.increment()
      }
      .with(model: Total())
  }
}

/// Waits for actions of a type that nobody sends.
private struct IdleService: Service {
  let kind: any Any.Type

  var body: some Service {
    store(for: kind).with(model: Total())
  }

  private func store<Kind>(for kind: Kind.Type) -> Store<Total> {
    Store(model: Total.self).mutate(on: Idle<Kind>.self) { total, _, _ in total.value += 1 }
  }
}
