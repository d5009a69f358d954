import Streams

/// A receiver as a source that fails when the user wants to see that, and comes back by itself.
struct Receiver: Sendable {
  /// Why nothing more comes.
  enum Failure: Error, Equatable, CustomStringConvertible {
    /// The user wanted to see that.
    case fault
    case unreadable(Input.ReadError)

    var description: String {
      switch self {
      case .fault: "the receiver does not answer"
      case .unreadable(let error): "\(error)"
      }
    }
  }

  static let name = "receiver"
  static let help = ["1       let the receiver fail: what it has told goes stale, and it comes back"]

  /// Longer than a reading is good for.
  private static let outage: Duration = NavigationState.lifetime + .seconds(2)

  let scheduler: any Scheduler
  private let faults = Subject<Void, Never>()

  init(scheduler: any Scheduler) {
    self.scheduler = scheduler
  }

  /// What the receiver says. An input that cannot be read is the end, a fault is not.
  func source(_ events: Observable<NavigationEvent, Input.ReadError>) -> Observable<NavigationEvent, Failure> {
    let failures = faults.observable
      .setFailureType(to: Failure.self)
      .map { _ throws(Failure) -> NavigationEvent in throw .fault }
    return Observable<NavigationEvent, Failure>.merge(events.mapError { .unreadable($0) }, failures)
      .retry(.constant(Self.outage), on: scheduler) { $0 == .fault }
  }

  /// What a key does to the receiver, in words; `nil` if it does nothing.
  func press(_ key: TerminalKey) -> DashboardMessage? {
    guard key == .character("1") else { return nil }
    faults.send(())
    let seconds = Int(Self.outage / .seconds(1))
    return DashboardMessage("the receiver has failed, and tries again in \(seconds) seconds", untilBack: Self.name)
  }
}
