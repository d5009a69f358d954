import Aggregate

/// A state with something of everything that a difference may be in.
struct Voyage: AggregateState, Equatable {
  struct Fix: Equatable, Sendable {
    var latitude = 0.0
    var longitude = 0.0
  }

  enum Phase: Equatable, Sendable {
    case moored
    case underway(speed: Int)
    case anchored(Fix, depth: Int)
  }

  struct Refusal: Error, Equatable {
    let event: String
  }

  enum Event: Sendable {
    case fix(Fix)
    case speed(Int)
    case anchor(depth: Int)
    case name(String, Int)
    case wreck
  }

  var fix: Fix?
  var phase = Phase.moored
  var track: [Fix] = []
  var marks: [String: Int] = [:]
  var speeds: Set<Int> = []
  var pair = (port: 1, starboard: 2)

  mutating func apply(_ event: Event) throws(Refusal) {
    switch event {
    case .fix(let fix):
      self.fix = fix
      track.append(fix)
    case .speed(let speed):
      phase = .underway(speed: speed)
      speeds.insert(speed)
    case .anchor(let depth):
      // Changes something before it refuses: nothing of it may be left.
      marks["anchored"] = depth
      guard let fix, depth < 50 else { throw Refusal(event: "anchor at \(depth)") }
      phase = .anchored(fix, depth: depth)
    case .name(let name, let value): marks[name] = value
    case .wreck: throw Refusal(event: "wreck")
    }
  }

  static func == (lhs: Voyage, rhs: Voyage) -> Bool {
    lhs.fix == rhs.fix && lhs.phase == rhs.phase && lhs.track == rhs.track && lhs.marks == rhs.marks
      && lhs.speeds == rhs.speeds && lhs.pair == rhs.pair
  }
}
