import Aggregate
import AggregateTestSupport

extension RandomTree {
  /// What is on the way from the state to a selected number.
  enum Part: Sendable {
    case fields(Fields)
    case pair(Fields.Pair)
    case list([Int])
    case opaque(Int)
    case number(Int)

    var fields: Fields { if case .fields(let fields) = self { fields } else { fatalError() } }
    var pair: Fields.Pair { if case .pair(let pair) = self { pair } else { fatalError() } }
    var list: [Int] { if case .list(let list) = self { list } else { fatalError() } }
    var opaque: Int { if case .opaque(let sum) = self { sum } else { fatalError() } }
    var number: Int { if case .number(let number) = self { number } else { fatalError() } }
  }

  /// One selection in the tree, as the reference sees it.
  struct Link: Sendable {
    let name: String
    /// What an appended selector reads first, and when that is as it was.
    var outer: (read: @Sendable (Part) -> Part, isSame: @Sendable (Part, Part) -> Bool)?
    let read: @Sendable (Part) -> Part
    let isSame: @Sendable (Part, Part) -> Bool

    func value(of part: Part) -> Part { read(outer?.read(part) ?? part) }
  }

  static func number(
    _ name: String,
    isSame: @escaping @Sendable (Int, Int) -> Bool = { $0 == $1 },
    _ read: @escaping @Sendable (Part) -> Int
  ) -> Link {
    Link(name: name, read: { .number(read($0)) }, isSame: { isSame($0.number, $1.number) })
  }

  static let pairLink = Link(name: "pair", read: { .pair($0.fields.pair) }, isSame: { $0.pair == $1.pair })

  static let coarsePairLink = Link(
    name: "coarse pair",
    read: { .pair($0.fields.pair) },
    isSame: { abs($0.pair.x - $1.pair.x) < 3 }
  )

  /// The same selections, for the reference and as they really are. What is made from a closure is made once for each
  /// program, so that its subscribers share it; what is made from key paths is made anew for each subscription.
  struct Catalogue<Manner: Mode>: Sendable {
    typealias State = Rig<Manner>

    let a = StateSelector(\State.fields.a)
    let coarseA = StateSelector(\State.fields.a, by: { abs($0 - $1) < 3 })
    let count = StateSelector { (state: State) in state.fields.list.filter { $0 > 2 }.count }
    let sum = StateSelector { (state: State) in state.fields.list.reduce(0, +) }
    let coarsePair = StateSelector(\State.fields.pair, by: { abs($0.x - $1.x) < 3 })
    let opaque = StateSelector<State, Fields.Opaque>({ Fields.Opaque(sum: $0.fields.list.reduce(0, +)) }, by: nil)
    let half = StateSelector { (pair: Fields.Pair) in pair.x / 2 }
    let parity = StateSelector { (number: Int) in number & 1 }
    let halfOfPair: StateSelector<State, Int>
    let yOfCoarsePair: StateSelector<State, Int>
    let combined: StateSelector<State, Int>
    let combinedTwice: StateSelector<State, Int>

    init() {
      halfOfPair = StateSelector(\State.fields.pair).appending(half)
      yOfCoarsePair = coarsePair.appending { $0.y }
      combined = StateSelector(combining: a, sum) { $0 * 10 + $1 }
      combinedTwice = StateSelector(combining: combined, halfOfPair) { ($0 + $1) / 3 }
    }

    static var links: [[Link]] {
      let sum: @Sendable (Part) -> Int = { $0.fields.list.reduce(0, +) }
      let half: @Sendable (Part) -> Int = { $0.pair.x / 2 }
      let combined: @Sendable (Part) -> Int = { $0.fields.a * 10 + sum($0) }
      return [
        [number("a") { $0.fields.a }],
        [number("coarse a", isSame: { abs($0 - $1) < 3 }) { $0.fields.a }],
        [number("count") { $0.fields.list.filter { $0 > 2 }.count }],
        [pairLink, number("x") { $0.pair.x }],
        [pairLink, number("half", half)],
        [coarsePairLink, number("y") { $0.pair.y }],
        [
          Link(name: "opaque", read: { .opaque(sum($0)) }, isSame: { _, _ in false }),
          number("opaque sum") { $0.opaque },
        ],
        [number("half of pair") { $0.fields.pair.x / 2 }],
        [
          Link(
            name: "y of coarse pair",
            outer: ({ .pair($0.fields.pair) }, { abs($0.pair.x - $1.pair.x) < 3 }),
            read: { .number($0.pair.y) },
            isSame: { $0.number == $1.number }
          )
        ],
        [number("combined", combined)],
        [number("combined", combined), number("parity") { $0.number & 1 }],
        [number("combined twice") { (combined($0) + $0.fields.pair.x / 2) / 3 }],
        [number("a") { $0.fields.a }, number("parity") { $0.number & 1 }],
        [
          Link(name: "list", read: { .list($0.fields.list) }, isSame: { $0.list == $1.list }),
          number("first") { $0.list[0] },
        ],
      ]
    }

    func selection(_ index: Int, of aggregator: Aggregator<State>) -> Selection<Int> {
      switch index {
      case 0: aggregator.select(\.fields.a)
      case 1: aggregator.select(coarseA)
      case 2: aggregator.select(count)
      case 3: aggregator.select(\.fields.pair).select(\.x)
      case 4: aggregator.select(\.fields.pair).select(half)
      case 5: aggregator.select(coarsePair).select(\.y)
      case 6: aggregator.select(opaque).select(\.sum)
      case 7: aggregator.select(halfOfPair)
      case 8: aggregator.select(yOfCoarsePair)
      case 9: aggregator.select(combined)
      case 10: aggregator.select(combined).select(parity)
      case 11: aggregator.select(combinedTwice)
      case 12: aggregator.select(\.fields.a).select(parity)
      default: aggregator.select(\.fields.list).select(\.[0])
      }
    }
  }
}
