// What the blocks of the article about recordings in files use and do not show.

import Aggregate
import RASPJournal

enum OldHarbourEvent: Codable, Sendable {
  case moved(ship: String, isIn: Bool)
  case flagRaised
}

struct LinkOpened: AggregateEvent, Codable {}
struct LinkClosed: AggregateEvent, Codable {}
struct LinkMoved: AggregateEvent, Codable {}

struct Tick: Sendable {
  var price: Double
  var volume: UInt32
}

let path = ""
let recording = Recording<HarbourState>(name: "harbour", initial: nil, entries: [], state: HarbourState())
