import Aggregate

/// The plainest of states that can be looked at.
struct Ship: AggregateState, Codable, Equatable {
  enum Event: Codable, Sendable, Equatable {
    case heading(Double)
    case speed(Double)
    case name(String)
    case crew(Set<String>)
  }

  var heading = 0.0
  var speed = 0.0
  var name = ""
  var crew: Set<String> = []

  mutating func apply(_ event: Event) {
    switch event {
    case .heading(let heading): self.heading = heading
    case .speed(let speed): self.speed = speed
    case .name(let name): self.name = name
    case .crew(let crew): self.crew = crew
    }
  }
}

/// Refuses what it cannot pay.
struct Purse: AggregateState, Equatable {
  struct TooMuch: Error, CustomStringConvertible {
    var description: String { "too\nmuch" }
  }

  var coins = 0

  mutating func apply(_ coins: Int) throws(TooMuch) {
    if self.coins + coins < 0 { throw TooMuch() }
    self.coins += coins
  }
}
