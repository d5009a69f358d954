// What the blocks of the landing page of `RASPJournal` use and do not show.

import Aggregate
import RASPJournal
import Streams

enum HarbourEvent: Codable, Sendable {
  case arrived(ship: String)
}

struct HarbourState: AggregateState, Codable {
  mutating func apply(_ event: HarbourEvent) {}
}

let path = ""
let folder = ""
let recording = Recording<HarbourState>(name: "harbour", initial: nil, entries: [], state: HarbourState())
let arrivals = Observable<HarbourEvent, Never>.never
