import Aggregate
import Core
import RASPServices

/// A payment, for a tree of services.
public struct Payment: Action {
  /// How much is paid in.
  public let amount: Int

  /// A payment of an amount.
  public init(amount: Int) {
    self.amount = amount
  }
}

/// Pays into a ledger.
public struct PaymentService: Service {
  private let ledger: Aggregator<Ledger>

  /// A service for one ledger.
  public init(ledger: Aggregator<Ledger>) {
    self.ledger = ledger
  }

  /// A store with the ledger as its model.
  public var body: some Service {
    Store(model: Aggregator<Ledger>.self)
      .mutate(on: Payment.self) { ledger, payment, _ in ledger.send(payment.amount) }
      .with(model: ledger)
  }
}
