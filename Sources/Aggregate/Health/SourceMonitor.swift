import Streams

/// Watches any source of an aggregator while the source is subscribed to, and makes the monitors of its named parts.
final class SourceMonitor: StreamMonitor {
  let id: SourceID
  private let owner: any SourceOwner

  init(_ id: SourceID, of owner: any SourceOwner) {
    self.id = id
    self.owner = owner
  }

  var isDelivering: Bool { owner.isDelivering }

  func monitor(named name: String, on scheduler: any Scheduler) -> (any StreamMonitor)? {
    let list = owner.health
    let monitor = HealthMonitor(name, of: id, on: scheduler, within: self) { list.changed($0) }
    if list.add(monitor) { return monitor }
    #if DEBUG
      if list.health(of: name) != nil { owner.report(.repeatedSourceName(name)) }
    #endif
    return nil
  }

  // A source without a name is not watched any further.
  func received() {}
  func ended(_ failure: (any Error)?) {}
  func cancelled() {}
  func retryBegan() -> Int { 0 }
  func retryFailed(_ retry: Int) {}
  func retryTried(_ retry: Int) {}
  func retryRecovered(_ retry: Int) {}
  func retryEnded(_ retry: Int) {}
}

/// An aggregator, as the monitors of its sources know it.
@usableFromInline
package protocol SourceOwner: AnyObject, Sendable {
  var isDelivering: Bool { get }
  var health: HealthList { get }
  func report(_ diagnostic: AggregatorDiagnostic)
}
