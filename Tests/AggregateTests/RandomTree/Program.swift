import AggregateTestSupport
import TestSupport

extension RandomTree {
  enum Step: Sendable {
    case send(Event)
    case several([Event])
    /// Subscribes to a selection of the catalogue, to all states or to all events.
    case select(Int)
    case states
    case events
    /// Cancels one of those that have been subscribed, by its index among them.
    case cancel(Int)
    case read(Int)
    case finish
  }

  enum Noted: Equatable, Sendable {
    case field(Int, subscriber: Int)
    case state(Fields, subscriber: Int)
    case event(Event, subscriber: Int)
    case end(subscriber: Int)
    case current(Int)
    case answer(Bool)
  }

  struct Program: Sendable {
    static let selectionCount = 14

    var outside: [Step] = []
    /// What is done inside the call with this number, counted over all subscribers.
    var inside: [Int: [Step]] = [:]

    init(seed: UInt64) {
      var numbers = SplitMix(seed: seed)
      func event() -> Event {
        let value = Int.random(in: 0...5, using: &numbers)
        switch Int.random(in: 0..<12, using: &numbers) {
        case 0..<3: return .a(value)
        case 3: return .b(value)
        case 4..<6: return .list(Int.random(in: 0..<3, using: &numbers), value)
        case 6..<8: return .x(value)
        case 8..<10: return .y(value)
        case 10: return .nothing
        default: return .refuse(value)
        }
      }
      func step() -> Step {
        switch Int.random(in: 0..<40, using: &numbers) {
        case 0..<14: return .send(event())
        case 14: return .several((0..<Int.random(in: 0...3, using: &numbers)).map { _ in event() })
        case 15..<26: return .select(Int.random(in: 0..<Program.selectionCount, using: &numbers))
        case 26: return .states
        case 27: return .events
        case 28..<36: return .cancel(Int.random(in: 0..<1000, using: &numbers))
        case 36..<39: return .read(Int.random(in: 0..<Program.selectionCount, using: &numbers))
        default: return Int.random(in: 0..<4, using: &numbers) == 0 ? .finish : .send(event())
        }
      }
      outside = (0..<Int.random(in: 1...40, using: &numbers)).map { _ in step() }
      for _ in 0..<Int.random(in: 0...12, using: &numbers) {
        inside[Int.random(in: 0..<60, using: &numbers)] = (0..<Int.random(in: 1...4, using: &numbers)).map { _ in step()
        }
      }
    }
  }
}
