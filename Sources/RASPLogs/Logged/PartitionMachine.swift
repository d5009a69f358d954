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
///
/// A follower goes the same way without owning anything: it has read the record instead of writing it back, and was
/// deposed when it has to begin anew at a later record. It tells only when it has caught up, and when it has failed.
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
  private let role: PartitionRole

  init(of partition: Int, as role: PartitionRole = .owner) {
    self.partition = partition
    self.role = role
  }

  /// Why the partition cannot be owned; `nil` if it can.
  var failure: LogError? { if case .failed(let error) = phase { error } else { nil } }

  mutating func take(_ event: Event) -> Action {
    switch (phase, event) {
    case (.assigned, .tookOver):
      phase = .restoring
      return Action(tell: role == .owner ? .restoring(partition: partition) : nil)
    case (.restoring, .caughtUp):
      phase = .live
      return Action(
        tell: role == .owner ? .live(partition: partition) : .following(partition: partition),
        settles: true
      )
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
      return Action(tell: role == .owner ? .released(partition: partition) : nil, settles: true)
    case .deposed:
      phase = .paused
      // A follower begins anew, and then has caught up or has failed.
      return role == .owner ? Action(tell: .deposed(partition: partition), settles: true) : Action()
    case let error? where error.isTemporary:
      phase = .paused
      return Action()
    case let error?:
      phase = .failed(error)
      return Action(tell: .failed(partition: partition, error: error), settles: true)
    }
  }
}

/// What an aggregator does with a partition.
enum PartitionRole: Sendable {
  /// It folds the partition, reacts to its entries and commits its rows.
  case owner
  /// It folds the partition, and writes nothing.
  case follower
}
