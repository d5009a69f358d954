import Aggregate
import AggregateTestSupport
import TestSupport

extension RandomTree {
  /// What the state holds, and how an event changes it, for the aggregator and for the reference.
  struct Fields: Sendable, Equatable {
    struct Pair: Sendable, Equatable {
      var x = 0
      var y = 0
    }

    struct Opaque: Sendable {
      var sum = 0
    }

    var a = 0
    var b = 0
    var list = [0, 0, 0]
    var pair = Pair()
  }

  enum Event: Sendable, Equatable {
    case a(Int)
    case b(Int)
    case list(Int, Int)
    case x(Int)
    case y(Int)
    case nothing
    /// Changes something, and is then refused by a state that can refuse.
    case refuse(Int)

    func apply(to fields: inout Fields) {
      switch self {
      case .a(let value), .refuse(let value): fields.a = value
      case .b(let value): fields.b = value
      case .list(let index, let value): fields.list[index] = value
      case .x(let value): fields.pair.x = value
      case .y(let value): fields.pair.y = value
      case .nothing: break
      }
    }
  }

  struct Rig<Manner: Mode>: AggregateState {
    var fields = Fields()

    mutating func apply(_ event: Event) throws(Manner.Refusal) {
      event.apply(to: &fields)
      if case .refuse = event { try Manner.refuse() }
    }
  }
}
