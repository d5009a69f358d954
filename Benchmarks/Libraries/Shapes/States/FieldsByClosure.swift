import Aggregate
import Streams

/// A domain whose state is many references: a copy of it counts each of them.
private struct VesselState: AggregateState {
  var ticks = 0
  var legs = [0]
  var marks = [1]
  var tracks = [2]
  var routes = [3]
  var charts = [4]
  var alarms = [5]
  var crews = [6]
  var logs = [7]
  var heading = 0
  var speed = 1
  var altitude = 2
  var depth = 3
  var pitch = 4
  var roll = 5
  var yaw = 6
  var battery = 7
  var signal = 8
  var volume = 9

  mutating func apply(_ tick: Int) {
    ticks = tick
  }
}

extension Shape {
  /// Ten selections of fields that do not change, by key path, of a state that holds eight arrays.
  static let fieldsByKeyPath = fields("fields-by-key-path") { vessel in
    [
      vessel.select(\.heading),
      vessel.select(\.speed),
      vessel.select(\.altitude),
      vessel.select(\.depth),
      vessel.select(\.pitch),
      vessel.select(\.roll),
      vessel.select(\.yaw),
      vessel.select(\.battery),
      vessel.select(\.signal),
      vessel.select(\.volume),
    ]
  }

  /// The same by closure.
  static let fieldsByClosure = fields("fields-by-closure") { vessel in
    [
      vessel.select { $0.heading },
      vessel.select { $0.speed },
      vessel.select { $0.altitude },
      vessel.select { $0.depth },
      vessel.select { $0.pitch },
      vessel.select { $0.roll },
      vessel.select { $0.yaw },
      vessel.select { $0.battery },
      vessel.select { $0.signal },
      vessel.select { $0.volume },
    ]
  }

  /// - Parameter select: makes ten selections.
  private static func fields(
    _ name: String,
    _ select: @escaping @Sendable (Aggregator<VesselState>) -> [Selection<Int>]
  ) -> Shape {
    Shape(name, events: 50_000) { events in
      let tally = Tally()
      let vessel = Aggregator(initial: VesselState())
      let ticks = vessel.select(\.ticks).subscribe { _ in tally.increment() }
      let fields = select(vessel).map { $0.subscribe { _ in tally.increment() } }
      return Run {
        for event in 1...events { vessel.send(event) }
      } proofs: {
        [
          Proof("deliveries", tally.count, is: events + 11),
          Proof("subscriptions", (fields + [ticks]).count { $0.isActive }, is: 11),
        ]
      }
    }
  }
}
