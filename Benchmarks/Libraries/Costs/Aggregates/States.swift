import Aggregate
import Streams

/// A state of two numbers that takes each event.
struct Pair: AggregateState {
  enum Event: Sendable {
    case a(Int)
    case b(Int)
  }

  var a = 0
  var b = 0

  mutating func apply(_ event: Event) {
    switch event {
    case .a(let number): a = number
    case .b(let number): b = number
    }
  }
}

/// A state of six fields, some with storage of their own, that may refuse an event.
struct Form: AggregateState {
  enum Event: Sendable {
    case a(Int)
    case b(Int)
    case name(String)
    case element(Int)
    case inner(Int)
    case refused
  }

  struct Refusal: Error {}

  struct Inner: Equatable, Sendable {
    var x = 0
    var y = 0
  }

  var a = 0
  var b = 0
  var name = "a name that needs storage of its own"
  var list = [1, 2, 3]
  var inner = Inner()
  var limit = 1.5

  mutating func apply(_ event: Event) throws(Refusal) {
    switch event {
    case .a(let number): a = number
    case .b(let number): b = number
    case .name(let text): name = text
    case .element(let number): list[1] = number
    case .inner(let number): inner.x = number
    case .refused: throw Refusal()
    }
  }
}

/// A large state that takes each event.
struct Large: AggregateState {
  struct Block: Sendable {
    var values = (0, 0, 0, 0, 0, 0, 0, 0)
    var text = "a text that needs storage of its own"
    var list = [1, 2, 3]
  }

  var a = 0
  var first = Block()
  var second = Block()
  var third = Block()
  var fourth = Block()
  var items = [1, 2, 3]

  mutating func apply(_ event: Pair.Event) {
    switch event {
    case .a(let number): a = number
    case .b(let number): items[1] = number
    }
  }
}

/// A state with a part, for scopes.
struct Whole: AggregateState {
  enum Event: Sendable {
    case part(Int)
  }

  struct Part: Equatable, Sendable {
    var x = 0
    var y = 0
    var name = "a name that needs storage of its own"
  }

  var number = 0
  var part = Part()

  mutating func apply(_ event: Event) {
    switch event {
    case .part(let number): part.x = number
    }
  }
}

typealias Pairs = Aggregator<Pair>
typealias Forms = Aggregator<Form>

/// Tokens that live as long as a row.
typealias Tokens = [Subscription]
