import Aggregate

/// A row over a log. Its events and its state are written down.
struct Account: AggregateState, Codable, Hashable {
  struct Deposit: Codable, Hashable, Sendable {
    let account: String
    let amount: Int
  }

  var balance = 0
  var hash = 0

  /// Refuses what would leave less than nothing.
  mutating func apply(_ event: Deposit) throws(Fault) {
    if balance + event.amount < 0 { throw Fault(code: balance) }
    balance += event.amount
    hash = Trees.mix(hash, event.amount)
  }
}
