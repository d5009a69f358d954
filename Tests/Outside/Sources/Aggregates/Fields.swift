import Aggregate

/// The fields of a ledger that subscribers select. What is made from a closure is made once for each program, so that
/// its subscribers share it; what is made from key paths is made anew for each subscription.
struct Fields<Way: Manner>: Sendable {
  typealias State = Ledger<Way>

  private let coarseA = StateSelector(\State.a, by: { abs($0 - $1) < 3 })
  private let sum = StateSelector { (state: State) in state.list.reduce(0, +) }
  private let coarsePair = StateSelector(\State.pair, by: { abs($0.x - $1.x) < 3 })
  private let parity = StateSelector { (number: Int) in number & 1 }
  private let always = StateSelector<State, Int>({ $0.a }, by: { _, _ in false })
  private let half: StateSelector<State, Int>
  private let combined: StateSelector<State, Int>
  private let combinedTwice: StateSelector<State, Int>

  init() {
    half = StateSelector(\State.pair).appending { $0.x / 2 }
    combined = StateSelector(combining: StateSelector(\State.a), sum) { $0 * 10 + $1 }
    combinedTwice = StateSelector(combining: combined, half) { ($0 + $1) / 3 }
  }

  func any(_ numbers: Numbers, of ledger: Aggregator<State>) -> (name: String, look: Look) {
    let index = numbers.below(15)
    let look =
      switch index {
      case 0: Look(ledger.select(\.a))
      case 1: Look(ledger.select(coarseA))
      case 2: Look(ledger.select(sum))
      case 3: Look(ledger.select(\.pair).select(\.x))
      case 4: Look(ledger.select(coarsePair).select(\.y))
      case 5: Look(ledger.select(half))
      case 6: Look(ledger.select(coarsePair.appending { $0.y }))
      case 7: Look(ledger.select(combined))
      case 8: Look(ledger.select(combined).select(parity))
      case 9: Look(ledger.select(combinedTwice))
      case 10: Look(ledger.select(\.list).select(\.[1]))
      case 11: Look(ledger.select(\.level))
      case 12: Look(ledger.select(always))
      case 13: Look(ledger.select(\.rows, key: 1).select { $0 ?? -1 })
      default: Look(ledger.scope(\.pair, sending: { Entry.x($0) }).select(\.x))
      }
    return ("field \(index)", look)
  }
}
