import Aggregate

/// The rows of these tests: what is paid for something, which may not be nothing.
nonisolated struct ItemPrice: AggregateState, Equatable {
  struct Free: Error {}

  struct Event: Sendable {
    let item: String
    let price: Int
  }

  var price = 0
  var first: Int?
  var count = 0

  mutating func apply(_ event: Event) throws(Free) {
    if event.price == 0 { throw Free() }
    price = event.price
    first = first ?? event.price
    count += 1
  }
}
