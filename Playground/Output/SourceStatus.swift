import Aggregate

/// What a dashboard shows of a source.
struct SourceStatus: Equatable, Sendable {
  enum Condition: Equatable, Sendable {
    case connected, retrying, ended, failed
  }

  let name: String
  let condition: Condition
  /// How many events it has sent.
  let count: Int
  /// How often it has failed and come back.
  let outages: Int
}

extension SourceStatus {
  init(_ health: SourceHealth) {
    name = health.name
    count = health.eventCount
    outages = health.outages
    condition =
      switch health.status {
      case .connected: .connected
      case .retrying: .retrying
      case .ended, .removed: .ended
      case .failed: .failed
      }
  }
}
