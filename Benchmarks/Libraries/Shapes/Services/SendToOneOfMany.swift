import RASPServices

/// What one service reacts to: another type for each owner.
private struct Deposit<Owner>: Action {}

/// The owner of the account that is measured.
private enum Measured {}

/// A service with a model of its own.
private struct AccountService<Owner>: Service {
  let tally: Tally

  init(of _: Owner.Type, _ tally: Tally) {
    self.tally = tally
  }

  var body: some Service {
    Store(model: Int.self)
      .mutate(on: Deposit<Owner>.self) { balance, _ in
        balance += 1
        tally.increment(by: balance)
      }
      .with(model: 0)
  }
}

/// The account of another user.
private func otherService<Owner: Numeral>(of owner: Owner.Type, _ tally: Tally) -> any Service {
  AccountService(of: owner, tally)
}

extension Cluster {
  fileprivate func depositOnce<Owner: Numeral>(to _: Owner.Type) async throws {
    try await send(action: Deposit<Owner>())
  }
}

extension Shape {
  /// Actions for one of so many services, each of which reacts to a type of its own. They are sent one after the other
  /// by the task that is measured.
  static func send(toOneOf services: Int) -> Shape {
    Shape(events: 5_000) { events in
      let tally = Tally()
      let otherTally = Tally()
      let others = 1..<services
      let cluster = try await Bootstrap {
        // Ours comes last, which would be the worst place in a list.
        for other in others { otherService(of: numeral(other), otherTally) }
        AccountService(of: Measured.self, tally)
      }
      return Run {
        for _ in 0..<events { try await cluster.send(action: Deposit<Measured>()) }
      } proofs: {
        let disturbed = otherTally.count
        for other in others { try await cluster.depositOnce(to: numeral(other)) }
        return [
          Proof("sum of the balances", tally.count, is: events * (events + 1) / 2),
          Proof("balances of other services, before anything was sent to them", disturbed, is: 0),
          Proof("balances of other services, each sent to once", otherTally.count, is: others.count),
        ]
      }
    }
  }
}
