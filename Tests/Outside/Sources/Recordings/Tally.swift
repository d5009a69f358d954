import Aggregate
import RASPCommands

/// What goes from one recorded thing to the next, as long as `depth` allows.
struct Ping: Hashable, Sendable {
  let value: Int
  let depth: Int

  var key: Int { value % 3 }

  func answer(_ number: Int) -> Ping { Ping(value: Trees.mix(value, number) % 100, depth: depth - 1) }
}

/// Depends on the order of its events, and refuses one in seven if it may refuse.
struct Tally<Way: Manner>: AggregateState, Equatable {
  var half = 0
  var hash = 0
  var newest: [Int] = []

  mutating func apply(_ event: Ping) throws(Way.Refusal) {
    hash = Trees.mix(hash, event.value)
    newest = newest.suffix(2) + [event.value]
    if event.value % 7 == 6 { try Way.refuse(event.value) }
    half = event.value / 20
  }
}

struct Ask: Command {
  typealias Output = Ping
  let ping: Ping
}
