/// The life of a partition at one owner: what has happened goes in, and what others are to be told comes out. It does
/// no work.
///
/// ```
///   assigned ──▶ restoring ──▶ live        the log does not take or give
///      ▲             │          │              any more ──▶ failed
///      │             ▼          ▼
///      └────────── paused ◀── deposed, or the log cannot be reached
///
///   given back, or the log was closed: released
/// ```
struct PartitionMachine: Sendable {
  enum Phase: Sendable {
    /// The partition is to be taken over.
    case assigned
    /// The record was written back, and entries that were there before are being folded.
    case restoring
    /// All of them are folded.
    case live
    /// The partition is taken over again after a while.
    case paused
    case failed(LogError)
    case released
  }

  enum Event: Sendable {
    case tookOver
    case caughtUp
    /// - Parameter failure: why; `nil` if the partition was given back or the log was closed.
    case ended(LogError?)
    case pauseIsOver
    case givenBack
  }

  /// What is to be done after an event.
  struct Action: Sendable {
    var tell: LogOwnership?
    /// Whether it is known now if the partition can be owned.
    var settles = false
  }

  private(set) var phase = Phase.assigned
  private let partition: Int

  init(of partition: Int) {
    self.partition = partition
  }

  /// Why the partition cannot be owned; `nil` if it can.
  var failure: LogError? { if case .failed(let error) = phase { error } else { nil } }

  mutating func take(_ event: Event) -> Action {
    switch (phase, event) {
    case (.assigned, .tookOver):
      phase = .restoring
      return Action(tell: .restoring(partition))
    case (.restoring, .caughtUp):
      phase = .live
      return Action(tell: .live(partition), settles: true)
    case (.assigned, .ended(let failure)), (.restoring, .ended(let failure)), (.live, .ended(let failure)):
      return end(failure)
    case (.paused, .pauseIsOver):
      phase = .assigned
      return Action()
    case (.paused, .givenBack):
      return end(nil)
    default:
      assertionFailure("\(event) in the phase \(phase)")
      return Action()
    }
  }

  private mutating func end(_ failure: LogError?) -> Action {
    switch failure {
    case nil:
      phase = .released
      return Action(tell: .released(partition), settles: true)
    case .deposed:
      phase = .paused
      return Action(tell: .deposed(partition), settles: true)
    case .newer(let log, let partition, let type):
      let error = LogError.newer(log: log, partition: partition, type: type)
      phase = .failed(error)
      return Action(tell: .newer(partition, error), settles: true)
    case let error? where error.isTemporary:
      phase = .paused
      return Action()
    case let error?:
      phase = .failed(error)
      return Action(tell: .failed(partition, error), settles: true)
    }
  }
}
