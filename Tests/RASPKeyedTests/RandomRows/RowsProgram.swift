import Aggregate
import RASPKeyed
import TestSupport

extension RandomRows {
  enum Step: Sendable {
    case send(Event)
    case several([Event])
    case insert(Int, price: Int)
    case remove(Int)
    case selectRow(Int, key: Int)
    case watch(View)
    /// Cancels one of those that have been subscribed, by its index among them.
    case cancel(Int)
    case read(Int, key: Int)
    /// Only from outside.
    case advance(Int)
    case finish
  }

  struct Program: Sendable {
    static let readCount = 7
    /// The time from one look for idle rows to the next, as the eviction has it.
    static let period = Duration.seconds(1)

    var limit: Int?
    var isIdleEvicted = false
    var includesObserved = false
    var outside: [Step] = []
    /// What is done inside the call with this number, counted over all subscribers.
    var inside: [Int: [Step]] = [:]

    var eviction: RowEviction {
      if let limit { return .beyond(limit, includingObserved: includesObserved) }
      return isIdleEvicted ? .idle(for: Self.period * 8, includingObserved: includesObserved) : .never
    }

    init(seed: UInt64) {
      var numbers = SplitMix(seed: seed)
      func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &numbers) }
      switch number(0..<4) {
      case 0, 1: limit = number(1..<5)
      case 2: isIdleEvicted = true
      default: break
      }
      includesObserved = number(0..<2) == 0
      let keyCount = number(2..<7)
      func event() -> Event {
        let change: Event.Change =
          switch number(0..<10) {
          case 0..<4: .price(number(0..<6))
          case 4, 5: .level([0, 1, 2, 3, .nan][number(0..<5)])
          case 6: .tag(number(0..<3))
          case 7: .nothing
          case 8: .price(number(0..<2))
          default: .refuse(number(0..<6))
          }
        return Event(key: number(0..<keyCount), change: change)
      }
      func step() -> Step {
        switch number(0..<64) {
        case 0..<20: .send(event())
        case 20, 21: .several((0..<number(0..<4)).map { _ in event() })
        case 22..<25: .insert(number(0..<keyCount), price: number(0..<6))
        case 25..<29: .remove(number(0..<keyCount))
        case 29..<38: .selectRow(number(0..<Selector.all.count), key: number(0..<keyCount))
        case 38..<45: .watch(View.allCases[number(0..<View.allCases.count)])
        case 45..<53: .cancel(number(0..<1000))
        case 53..<58: .read(number(0..<Self.readCount), key: number(0..<keyCount))
        case 58: .advance(number(1..<12))
        default: number(0..<4) == 0 ? .finish : .send(event())
        }
      }
      outside = (0..<number(1..<50)).map { _ in step() }
      for _ in 0..<number(0..<12) {
        inside[number(0..<60)] = (0..<number(1..<5)).map { _ in step() }
          .filter { if case .advance = $0 { false } else { true } }
      }
    }
  }
}
