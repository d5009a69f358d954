import Aggregate
import AggregateTestSupport
import TestSupport

/// Random programs that run on a keyed aggregator and on a plain reference, which must say the same.
enum RandomRows {}

extension RandomRows {
  /// What a row holds, and how an event changes it, for the aggregator and for the reference.
  struct Fields: Sendable {
    var price = 0
    var level = 0.0
    var tags: [Int] = []
    var count = 0

    var text: String { "\(price) \(level) \(tags) \(count)" }
  }

  struct Event: Sendable {
    enum Change: Sendable {
      case price(Int)
      case level(Double)
      case tag(Int)
      case nothing
      /// Changes something, and is then refused by a row that can refuse.
      case refuse(Int)
    }

    var key: Int
    var change: Change

    var isRefused: Bool { if case .refuse = change { true } else { false } }
    var text: String { "\(key) \(change)" }

    func apply(to fields: inout Fields) {
      fields.count += 1
      switch change {
      case .price(let price), .refuse(let price): fields.price = price
      case .level(let level): fields.level = level
      case .tag(let tag): fields.tags = fields.tags.suffix(2) + [tag]
      case .nothing: break
      }
    }
  }

  struct Row<Manner: RandomTree.Mode>: AggregateState {
    var fields = Fields()

    mutating func apply(_ event: Event) throws(Manner.Refusal) {
      event.apply(to: &fields)
      if event.isRefused { try Manner.refuse() }
    }
  }

  /// Who was told what. The program itself notes what it read and was answered.
  struct Noted: Equatable, Sendable {
    static let program = -1
    static let refusals = -2

    var subscriber: Int
    var text: String
  }

  /// A selection of one row, as the reference sees it.
  struct Selector: Sendable {
    let read: @Sendable (Fields) -> Double
    var isSame: @Sendable (Double, Double) -> Bool = { $0 == $1 || $0.isNaN && $1.isNaN }

    static let all = [
      Selector { Double($0.price) },
      Selector(read: { Double($0.price) }, isSame: { abs($0 - $1) < 3 }),
      Selector { Double($0.tags.count) },
      Selector { Double($0.tags.first ?? 0) },
      Selector(read: { Double($0.price) }, isSame: { _, _ in false }),
      Selector { $0.level },
    ]
  }

  /// A view over all rows, in the order of the catalogue.
  enum View: Int, Sendable, CaseIterable {
    case prices, coarsePrices, tagCounts, changes, events, highest, cheapest, dear, elevated, keys
  }

  static func text(_ field: Double?) -> String { field.map { "\($0)" } ?? "nil" }
  static func text(_ keys: some Sequence<Int>) -> String { "\(Array(keys))" }
}
