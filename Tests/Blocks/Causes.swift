// What the blocks of the article about causes use and do not show.

import Aggregate
import RASPServices
import Streams

struct Form: AggregateState {
  enum Event: Sendable {
    case typed(String)
    case located(Int)
  }

  var address = ""

  mutating func apply(_ event: Event) {}
}

struct Map: AggregateState {
  enum Event: Sendable { case searched(String) }

  mutating func apply(_ event: Event) {}
}

struct Geocoder: Sendable {
  func location(of address: String) async -> Int { 0 }
}

struct Library: Sendable {
  func load(_ address: String, _ done: @escaping @Sendable (Int) -> Void) {}
}

struct Motion: Action { let room: String }
struct Quiet: Action { let room: String }

struct Rooms: Service {
  var body: some Service { On(Quiet.self) { _, _ in } }
}

let form = Aggregator(initial: Form())
let map = Aggregator(initial: Map())
let geocoder = Geocoder()
let library = Library()
let address = ""
let sensors = Subject<Motion, Never>()
