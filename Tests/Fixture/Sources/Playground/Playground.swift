import Aggregate
import Commands
import Core
import RASPCommands
import RASPServices
import Services
import Streams
import TestSupport

/// Uses all targets of the fixture and all products it takes, so that each of them is linked.
@main
enum Playground {
  static func main() async throws {
    let ledger = Aggregator(initial: Ledger(), sources: Observable([1, 2, 3]))
    let cluster = try await Bootstrap { PaymentService(ledger: ledger) }
    let amount = try await Engine().execute(Twice(18)).value
    try await cluster.send(action: Payment(amount: amount))
    await cluster.shutdown()
    print(announcement(of: ledger.snapshot.sum))
  }
}
