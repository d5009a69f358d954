import Counting
import RASPServices

/// Actions.
let serviceRows: [CountedRow] = [
  sending("srv.mutate") { work in
    Store(model: Int.self)
      .mutate(on: Deposit.self) { balance, deposit in
        balance &+= deposit.amount
        work.see(1)
      }
      .with(model: 0)
  }
]

private struct Deposit: Action {
  let amount: Int
}

/// Sends actions to a service, which has to note each of them. The cluster is made on this thread, which is the main
/// one.
private func sending(
  _ name: String,
  @ServiceBuilder _ service: @escaping @MainActor @Sendable (_ work: Sink) -> some Service
) -> CountedRow {
  CountedRow(name) {
    let work = Sink()
    let cluster = onThisThread { await must { try await Bootstrap { service(work) } } }
    return { count in
      let before = work.sum
      onThisThread {
        for _ in 0..<count { await must { try await cluster.send(action: Deposit(amount: 1)) } }
      }
      precondition(work.sum == before + count)
    }
  }
}
