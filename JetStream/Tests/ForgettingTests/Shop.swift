import Aggregate
import RASPJournal

// The article "Forgetting a person" shows these types and codings as they stand here.

struct Customer: Codable, Equatable, Sendable {
  /// A random identifier: it stands in files in the clear.
  let id: String
  var name: String
  var orders = 0
}

enum ShopEvent: AggregateEvent, Codable, Equatable {
  case visited
  case registered(id: String, name: String)
  case ordered(id: String)

  /// To whom the event belongs.
  var customer: String? {
    switch self {
    case .visited: nil
    case .registered(let id, _), .ordered(let id): id
    }
  }
}

struct Shop: AggregateState, Equatable {
  var visits = 0
  var customers: [String: Customer] = [:]

  mutating func apply(_ event: ShopEvent) {
    switch event {
    case .visited: visits += 1
    case .registered(let id, let name): customers[id] = Customer(id: id, name: name)
    case .ordered(let id): customers[id]?.orders += 1
    }
  }
}

extension Coding<ShopEvent> {
  /// An event of a customer who has been forgotten becomes none.
  static func sealed(by keys: CustomerKeys) -> Coding {
    Coding.codable.sealed(by: keys) {
      $0.customer
    } forgotten: { _ in
      []
    }
  }
}

extension Coding<Shop> {
  /// Each customer is sealed alone, so a snapshot is read without those who have been forgotten.
  static func sealed(by keys: CustomerKeys) -> Coding {
    let customers = Coding<Customer>.codable.sealed(by: keys) {
      $0.id
    } forgotten: { _ in
      []
    }
    return Coding(version: 1) { shop, bytes in
      bytes.append(shop.visits)
      bytes.append(shop.customers.count)
      for customer in shop.customers.values { try bytes.append(customer, with: customers) }
    } decode: { bytes in
      var shop = Shop(visits: try bytes.read(Int.self))
      for _ in 0..<max(0, try bytes.read(Int.self)) {
        for customer in try bytes.readValues(with: customers) { shop.customers[customer.id] = customer }
      }
      return shop
    }
  }
}
