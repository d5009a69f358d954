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
  /// Stands for an event of a customer who has been forgotten.
  case forgotten

  /// To whom the event belongs.
  var customer: String? {
    switch self {
    case .visited, .forgotten: nil
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
    case .forgotten: break
    }
  }
}

extension ByteWriter {
  /// Appends a value that is sealed with the key of a customer.
  mutating func append<Value: Sendable>(
    _ value: Value,
    with coding: Coding<Value>,
    of customer: String,
    sealedBy keys: CustomerKeys
  ) throws {
    var encoder = ValueEncoder(coding)
    let (type, bytes) = try encoder.encode(value) { ($0, Array($1)) }
    let sealed = try keys.seal(bytes, of: customer)
    append(type.name)
    append(type.version)
    append(customer)
    append(sealed.count)
    append(contentsOf: sealed)
  }
}

extension ByteReader {
  /// Reads a value that was sealed, or returns `nil` if its customer has been forgotten.
  mutating func read<Value: Sendable>(with coding: Coding<Value>, sealedBy keys: CustomerKeys) throws -> Value? {
    let type = TypeVersion(name: try readString(), version: try read(Int.self))
    let customer = try readString()
    guard let bytes = try keys.open(try readBytes(try read(Int.self)), of: customer) else { return nil }
    var decoder = ValueDecoder(coding)
    var value: Value?
    try bytes.withUnsafeBytes { bytes in try decoder.decode(bytes, of: type) { value = $0 } }
    return value
  }
}

extension Coding<ShopEvent> {
  /// An event of a customer who has been forgotten becomes `.forgotten`. A visit is sealed with the key of the shop.
  static func sealed(by keys: CustomerKeys) -> Coding {
    let plain = Coding.codable
    return Coding(version: 2) { event, bytes in
      try bytes.append(event, with: plain, of: event.customer ?? "shop", sealedBy: keys)
    } decode: { bytes in
      try bytes.read(with: plain, sealedBy: keys) ?? .forgotten
    }
    .reading(version: 1, with: plain) { [$0] }
  }
}

extension Coding<Shop> {
  /// Each customer is sealed alone, so a snapshot is read without those who have been forgotten.
  static func sealed(by keys: CustomerKeys) -> Coding {
    let plain = Coding<Customer>.codable
    return Coding(version: 2) { shop, bytes in
      bytes.append(shop.visits)
      bytes.append(shop.customers.count)
      for customer in shop.customers.values {
        try bytes.append(customer, with: plain, of: customer.id, sealedBy: keys)
      }
    } decode: { bytes in
      var shop = Shop(visits: try bytes.read(Int.self))
      for _ in 0..<max(0, try bytes.read(Int.self)) {
        if let customer = try bytes.read(with: plain, sealedBy: keys) { shop.customers[customer.id] = customer }
      }
      return shop
    }
  }
}
