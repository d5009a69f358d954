import Aggregate
import RASPKeyed
import Streams

/// A small state that takes each event.
struct Pair: AggregateState {
  enum Event: Sendable {
    case a(Int)
    case b(Int)
  }

  var a = 0
  var b = 0
  var c: Int?

  mutating func apply(_ event: Event) {
    switch event {
    case .a(let number): a = number
    case .b(let number): b = number
    }
  }
}

/// A state of several fields, some with storage of their own, that may refuse an event.
struct Form: AggregateState, Equatable {
  enum Event: Sendable {
    case a(Int)
    case refused
  }

  struct Refusal: Error {}

  var a = 0
  var b = 0
  var name = "a name that needs storage of its own"
  var list = [1, 2, 3]
  var limit = 1.5

  mutating func apply(_ event: Event) throws(Refusal) {
    switch event {
    case .a(let number): a = number
    case .refused: throw Refusal()
    }
  }
}

/// A state with a part, for scopes.
struct Whole: AggregateState {
  struct Part: Equatable, Sendable {
    var x = 0
    var name = "a name that needs storage of its own"
  }

  var number = 0
  var part = Part()

  mutating func apply(_ number: Int) { part.x = number }
}

/// An event of the rows of a keyed aggregator.
struct Tick: Sendable {
  var key: Int
  var v: Int

  @inline(__always)
  init(_ key: Int, _ v: Int) {
    self.key = key
    self.v = v
  }
}

/// A row that takes each event.
struct Thing: AggregateState, Equatable {
  var v = 0
  var w = 0

  mutating func apply(_ tick: Tick) { v = tick.v }
}

typealias Pairs = Aggregator<Pair>
typealias Things = KeyedAggregator<Int, Thing>

/// An aggregator with so many rows, the keys of which are the numbers from zero on; the values are the keys.
func things(_ rows: Int, evicting eviction: RowEviction = .never) -> Things {
  let things = Things(by: \Tick.key, initial: { _ in Thing() }, options: KeyedOptions(evicting: eviction))
  for key in 0..<rows { things.send(Tick(key, key)) }
  return things
}

/// A state with a collection with keys, and with a field beside it.
struct Shelf: AggregateState {
  var things: Keyed<Int, Thing>

  init(_ count: Int) {
    things = Keyed(Dictionary(uniqueKeysWithValues: (0..<count).map { ($0, Thing()) }))
  }

  mutating func apply(_ key: Int) { things[key]?.v += 1 }
}
