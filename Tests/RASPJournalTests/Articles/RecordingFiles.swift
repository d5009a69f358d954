import Aggregate
import RASPJournal

// The declarations of the article, as they stand there.

enum HarbourEvent: Codable, Sendable {
  case arrived(ship: String)
  case left(ship: String)
  case position(latitude: Double, longitude: Double)
}

struct HarbourState: AggregateState, Codable, Equatable {
  var ships: Set<String> = []
  var latitude: Double?

  mutating func apply(_ event: HarbourEvent) {
    switch event {
    case .arrived(let ship): ships.insert(ship)
    case .left(let ship): ships.remove(ship)
    case .position(let latitude, _): self.latitude = latitude
    }
  }
}

/// The events of version 1.
enum OldHarbourEvent: Codable, Sendable {
  case moved(ship: String, isIn: Bool)
  case flagRaised
}

struct OldHarbourState: AggregateState, Codable {
  var ships: Set<String> = []

  mutating func apply(_ event: OldHarbourEvent) {}
}

struct LinkOpened: AggregateEvent, Codable {}
struct LinkClosed: AggregateEvent, Codable {}
struct LinkMoved: AggregateEvent, Codable {}

struct LinkState: AggregateState, Codable {
  var events = 0

  mutating func apply(_ event: any AggregateEvent) { events += 1 }
}

struct Tick: Hashable, Sendable {
  var price: Double
  var volume: UInt32
}

struct TickState: AggregateState, Codable, Equatable {
  var last = 0.0

  mutating func apply(_ tick: Tick) { last = tick.price }
}
