// What the blocks of the article about logs use and do not show.

import Aggregate
import RASPLogs
import Streams

struct Reading: Codable, Sendable {
  var sensor: String
  var celsius: Double
}

struct Sensor: AggregateState, Codable {
  var celsius = 0.0

  mutating func apply(_ reading: Reading) {}
}

struct Order: Codable, Sendable {
  var customer: String
}

struct Customer: AggregateState, Codable {
  mutating func apply(_ order: Order) {}
}

struct Warehouse: Sendable {
  func ship(_ order: Order, id: String) async {}
}

let folder = ""
let orderLog = MemoryLog<Order>()
let arrivals = Observable<Reading, any Error>.never
let readings = MemoryLog<Reading>(partitions: 1)
let wider = MemoryLog<Reading>(partitions: 3, name: "wider")
func stopAppending() async {}
let warehouse = Warehouse()
@Sendable func show(_ celsius: Double?) {}
@Sendable func route(_ owners: LogOwners) {}
