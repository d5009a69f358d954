import Aggregate
import Streams
import Synchronization

// "A service for many devices" of the article "Programs by task".

struct Device: AggregateState, Codable, Equatable {
  var fields: [String: Double] = [:]
  var events = 0

  mutating func apply(_ event: DeviceEvent) throws(Refusal) {
    switch event {
    case .reading(let field, let value):
      guard value.isFinite, value.magnitude < 1e9 else { throw .outOfRange(field) }
      fields[field] = value
      events += 1
    }
  }
}

enum DeviceEvent: Codable, Sendable { case reading(field: String, value: Double) }

enum Refusal: Error { case outOfRange(String) }

final class Devices: Sendable {
  private let devices = Mutex<[String: Aggregator<Device>]>([:])

  func existing(_ id: String) -> Aggregator<Device>? { devices.withLock { $0[id] } }

  func device(_ id: String) -> Aggregator<Device> {
    devices.withLock { devices in
      let device = devices[id] ?? Aggregator(initial: Device())
      devices[id] = device
      return device
    }
  }

  /// Answers a POST with a status.
  func post(_ event: DeviceEvent, to id: String) async -> Int {
    do {
      return try await device(id).submit(event) == .folded ? 202 : 410
    } catch {
      return 422  // the error is the state's own `Refusal`
    }
  }

  /// Answers a GET that stays open: the newest values, never a backlog, however slow the client is.
  func stream(of fields: Set<String>, from id: String) -> NewestValues<[String: Double]>? {
    existing(id)?.select { $0.fields.filter { fields.contains($0.key) } }.values
  }

  /// Ends every stream.
  func shutdown() {
    for device in devices.withLock({ Array($0.values) }) { device.finish() }
  }
}
