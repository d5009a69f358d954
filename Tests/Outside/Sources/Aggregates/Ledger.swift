import Aggregate

/// Whether a state may refuse an event: one that cannot is changed in place.
protocol Manner: Sendable {
  associatedtype Refusal: Error
  static func refuse(_ code: Int) throws(Refusal)
}

enum Willing: Manner {
  static func refuse(_ code: Int) {}
}

enum Picky: Manner {
  static func refuse(_ code: Int) throws(Fault) { throw Fault(code: code) }
}

enum Entry: Hashable, Sendable {
  case a(Int)
  case list(Int, Int)
  case x(Int)
  case y(Int)
  case level(Double)
  case row(Int, Int?)
  case nothing
  /// Changes something, and is then refused by a state that can refuse.
  case refuse(Int)

  init(_ numbers: Numbers) {
    let value = numbers.below(6)
    switch numbers.below(14) {
    case 0..<3: self = .a(value)
    case 3: self = .list(numbers.below(3), value)
    case 4, 5: self = .x(value)
    case 6, 7: self = .y(value)
    case 8, 9: self = .level(numbers.pick([0, 1, 1.5, 2, .nan]))
    case 10: self = .row(numbers.below(3), numbers.once(in: 3) ? nil : value)
    case 11: self = .nothing
    default: self = .refuse(value)
    }
  }
}

/// The state of an aggregator, and of a row.
struct Ledger<Way: Manner>: AggregateState {
  struct Pair: Hashable, Sendable {
    var x = 0
    var y = 0
  }

  var a = 0
  var list = [0, 0, 0]
  var pair = Pair()
  var level = 0.0
  var rows = Keyed<Int, Int>()
  var count = 0

  var text: String { "\(a) \(list) \(pair.x) \(pair.y) \(level) \([rows[0], rows[1], rows[2]]) \(count)" }

  mutating func apply(_ event: Entry) throws(Way.Refusal) {
    count += 1
    switch event {
    case .a(let value): a = value
    case .list(let index, let value): list[index] = value
    case .x(let value): pair.x = value
    case .y(let value): pair.y = value
    case .level(let value): level = value
    case .row(let key, let value): rows[key] = value
    case .nothing: break
    case .refuse(let value):
      a = value
      try Way.refuse(value)
    }
  }
}
