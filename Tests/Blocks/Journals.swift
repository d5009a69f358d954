// What the blocks of the article about journals use and do not show.

import Aggregate
import Foundation
import Streams

enum HarbourEvent: Codable, Sendable {
  case arrived(ship: String)
}

struct HarbourState: AggregateState, Codable {
  mutating func apply(_ event: HarbourEvent) {}
}

struct Mooring: Codable, Sendable {
  var berth: String
}

struct Berth: AggregateState, Codable {
  mutating func apply(_ mooring: Mooring) {}
}

let folder = ""
let noonOfToday = Date()
let arrivals = Observable<HarbourEvent, Never>.never
let moorings = Observable<Mooring, Never>.never
