// What the blocks of the article about forgetting a person use and do not show.

import Aggregate

struct Customer: Codable, Sendable {
  let id: String
}

enum ShopEvent: AggregateEvent, Codable {
  case visited
  case registered(id: String)
  case forgotten

  var customer: String? {
    if case .registered(let id) = self { id } else { nil }
  }
}

struct Shop: AggregateState {
  var visits = 0
  var customers: [String: Customer] = [:]

  mutating func apply(_ event: ShopEvent) {}
}
