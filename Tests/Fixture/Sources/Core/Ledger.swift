import Aggregate

/// What has been paid in so far.
public struct Ledger: AggregateState {
  /// The sum of all payments.
  public private(set) var sum = 0

  /// A ledger without payments.
  public init() {}

  /// Adds a payment.
  public mutating func apply(_ payment: Int) {
    sum += payment
  }
}
