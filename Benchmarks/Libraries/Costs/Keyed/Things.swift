import Aggregate
import RASPKeyed
import Streams

/// An event of the rows that are measured.
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
struct Thing: AggregateState {
  var v = 0
  var w = 0

  mutating func apply(_ tick: Tick) { v = tick.v }
}

/// A row that refuses an event with a negative number.
struct PickyThing: AggregateState {
  struct Refusal: Error {}

  var v = 0

  mutating func apply(_ tick: Tick) throws(Refusal) {
    if tick.v < 0 { throw Refusal() }
    v = tick.v
  }
}

/// An event with a key of text.
struct NamedTick: Sendable {
  var key: String
  var v: Int
}

/// A row with a key of text.
struct NamedThing: AggregateState {
  var v = 0

  mutating func apply(_ tick: NamedTick) { v = tick.v }
}

typealias Things = KeyedAggregator<Int, Thing>

/// An aggregator with so many rows, the keys of which are the numbers from zero on; the values are the keys.
func things(
  _ rows: Int,
  evicting eviction: RowEviction = .never,
  on scheduler: any Scheduler = .continuous
) -> Things {
  let things = Things(by: \Tick.key, initial: { _ in Thing() }, evicting: eviction, on: scheduler)
  for key in 0..<rows { things.send(Tick(key, key)) }
  return things
}

/// The same with its rows divided among shards.
func things(_ rows: Int, shards: Int) -> Things {
  let things = Things(shards: shards, by: \Tick.key, initial: { _ in Thing() })
  for key in 0..<rows { things.send(Tick(key, key)) }
  return things
}
