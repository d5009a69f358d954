import RASPServices

/// What the one service of the tree reacts to.
private struct Deposit: Action, Equatable {}

extension Shape {
  /// Actions for one service that reacts in another form than a synchronous mutation.
  static let sendForms: [Shape] = [
    send(to: "mutation") { tally in
      Store(model: Int.self)
        .mutate(on: Deposit.self) { balance, _, _ in
          balance += 1
          tally.increment()
        }
        .with(model: 0)
    },
    send(to: "on") { tally in
      On(Deposit.self) { _, _ in tally.increment() }
    },
    send(to: "pre") { tally in
      EmptyService().pre(action: Deposit.self) { _ in tally.increment() }
    },
    send(to: "post") { tally in
      EmptyService().post(action: Deposit.self) { _ in tally.increment() }
    },
    send(to: "reducer") { tally in
      Reducer(state: 0) { (balance: inout Int, _: Deposit) in
        balance += 1
        tally.increment()
        return nil
      }
    },
    send(to: "observed") { tally in
      Store(model: Int.self)
        .mutate(on: Deposit.self) { balance, _ in
          balance += 1
          tally.increment()
        }
        .with(model: 0)
        .observe(on: Deposit.self) { _ in }
    },
  ]

  private static func send(
    to form: String,
    @ServiceBuilder _ service: @escaping @MainActor @Sendable (Tally) -> some Service
  ) -> Shape {
    Shape("send-to-\(form)", events: 5_000) { events in
      let tally = Tally()
      let cluster = try await Bootstrap { service(tally) }
      return Run {
        for _ in 0..<events { try await cluster.send(action: Deposit()) }
      } proofs: {
        [Proof("actions", tally.count, is: events)]
      }
    }
  }
}
