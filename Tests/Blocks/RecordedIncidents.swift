// What the blocks of the article about recorded incidents use and do not show.

import Aggregate
import RASPInsight
import RASPKeyed
import Streams

struct Ship: AggregateState, Codable, Equatable {
  enum Event: Codable, Sendable {
    case speed(Double)
    case heading(Double)
    case crew([String])
  }

  var speed = 0.0
  var heading = 0.0
  var crew: [String] = []

  mutating func apply(_ event: Event) {}
}

struct Order: Sendable {
  let ship: String
}

struct Vessel: AggregateState, Equatable {
  var heading = 0.0

  mutating func apply(_ order: Order) {}
}

struct Incidents: Sendable {
  func note(_ incident: Recording<Ship>) {}
}

let boat = Aggregator(initial: Ship())
let ships = KeyedAggregator(by: \Order.ship, initial: { _ in Vessel() })
let scheduler: any Scheduler = .continuous
let incidents = Incidents()
let incident = Insight().record(boat, as: "boat").recording
let path = ""
