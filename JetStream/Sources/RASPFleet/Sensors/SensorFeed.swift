import Foundation
import NIOCore
import NIOPosix
import RASPLogs

/// Sends readings at a rate, by one of two ways into the same partitions.
struct SensorFeed: Sendable {
  let count: Int
  /// Readings a second of all sensors.
  let rate: Int

  private static let tick = Duration.milliseconds(50)
  /// The greatest number of readings of a tick.
  private static let greatestTick = 10_000

  /// Appends to the log, one call for each partition in each tick.
  func append(to log: any EventLog<Reading>) async throws {
    try await run { readings in
      let parts = Dictionary(grouping: readings) { log.partition(of: $0.sensor) }
      try await withThrowingTaskGroup(of: Void.self) { group in
        for (partition, readings) in parts {
          group.addTask {
            do throws(LogError) {
              try await log.append(readings, to: partition)
            } catch  where error.isTemporary {
              // A sensor has a newer reading soon.
            }
          }
        }
        try await group.waitForAll()
      }
    }
  }

  /// Publishes by MQTT with QoS 1, as sensors do that know nothing of a log. The server puts each reading into the
  /// partition of its sensor.
  func publish(host: String, port: Int) async throws {
    let connection = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
      .connect(host: host, port: port) { channel in
        channel.eventLoop.makeCompletedFuture {
          try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
        }
      }
    try await connection.executeThenClose { inbound, outbound in
      try await outbound.write(ByteBuffer(bytes: MQTTPacket.connect(client: "fleet").bytes))
      var answers = inbound.makeAsyncIterator()
      var received: [UInt8] = []
      var waiting: [MQTTAnswer] = []
      func answer() async throws -> MQTTAnswer {
        while waiting.isEmpty {
          guard let buffer = try await answers.next() else { throw MQTTRefusal(code: nil) }
          received += buffer.readableBytesView
          waiting = MQTTAnswer.take(from: &received)
        }
        return waiting.removeFirst()
      }
      if case .connected(let code) = try await answer(), code != 0 { throw MQTTRefusal(code: code) }
      try await run { readings in
        assert(readings.count < UInt16.max, "Each reading of a tick has a number of its own.")
        var packets: [UInt8] = []
        for (index, reading) in readings.enumerated() {
          let payload = try Array(JSONEncoder().encode(reading))
          // The numbers of the tick before are free again: all of its answers have come.
          packets +=
            MQTTPacket.publish(topic: "sensors/\(reading.sensor)", payload: payload, id: UInt16(index + 1)).bytes
        }
        try await outbound.write(ByteBuffer(bytes: packets))
        for _ in readings {
          guard case .acknowledged = try await answer() else { throw MQTTRefusal(code: nil) }
        }
      }
    }
  }

  private func run(_ send: ([Reading]) async throws -> Void) async throws {
    var sensors = Sensors(count: count)
    let clock = ContinuousClock()
    let start = clock.now
    var sent = 0
    while !Task.isCancelled {
      try await clock.sleep(until: clock.now + Self.tick)
      let due = Int((clock.now - start) / .seconds(1) * Double(rate))
      assert(due >= sent, "The clock does not go back.")
      // What could not be sent in time is left out: sensors do not speak faster afterwards.
      let readings = sensors.readings(min(due - sent, rate, Self.greatestTick))
      sent = due
      try await send(readings)
    }
  }
}

/// The server does not speak MQTT with this client.
struct MQTTRefusal: Error, CustomStringConvertible {
  let code: UInt8?

  var description: String {
    code.map { "The MQTT server has refused the connection with code \($0)." }
      ?? "The MQTT server has ended the connection."
  }
}

/// Simulated sensors, which speak one after the other. Their temperatures go up and down slowly.
struct Sensors: Sendable {
  let names: [String]
  private var next = 0
  private var celsius: [Double]

  init(count: Int) {
    assert(count > 0, "There is a sensor.")
    names = (1...count).map { "boiler-\($0)" }
    celsius = names.map { _ in Double.random(in: 40...70) }
  }

  /// The next readings.
  mutating func readings(_ count: Int) -> [Reading] {
    (0..<count).map { _ in
      defer { next = (next + 1) % names.count }
      celsius[next] = min(99, max(10, celsius[next] + Double.random(in: -1...1)))
      return Reading(sensor: names[next], celsius: (celsius[next] * 10).rounded() / 10)
    }
  }
}
