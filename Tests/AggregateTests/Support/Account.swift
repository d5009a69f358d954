import Aggregate

/// A state that refuses events, and does so half-way through its changes.
struct Account: AggregateState, Equatable {
  enum Refusal: Error, Equatable {
    case overdrawn(by: Int)
  }

  var bookings: [Int] = []
  var balance = 0

  mutating func apply(_ amount: Int) throws(Refusal) {
    bookings.append(amount)
    balance += amount
    if balance < 0 { throw .overdrawn(by: -balance) }
  }
}
