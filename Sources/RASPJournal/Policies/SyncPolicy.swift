/// When a journal has the system bring to the medium what it has written.
#if hasAttribute(nonexhaustive)
  @nonexhaustive
#endif
public enum SyncPolicy: Hashable, Sendable {
  /// After each batch of events: the standard. A failure of the power takes the events of one batch at most, which is
  /// what was folded while the batch before was being written.
  case eachBatch

  /// At most so long after an event was written: more than zero.
  case every(Duration)

  /// When the system does it by itself. The events survive the end of the process, and not a failure of the power.
  case bySystem
}

/// What is on the medium, and when more has to be.
struct SyncPlan: Sendable {
  let policy: SyncPolicy
  /// The newest event that was written.
  private(set) var written: Int
  /// The newest event that is on the medium.
  private(set) var durable: Int
  /// When the oldest event was written that is not on the medium.
  private var waitingSince: Duration?

  /// - Parameter event: the newest event, which is on the medium.
  init(_ policy: SyncPolicy, at event: Int) {
    self.policy = policy
    written = event
    durable = event
  }

  mutating func noteWrite(upTo event: Int, at instant: Duration) {
    assert(event >= written, "events that were written are written again")
    written = event
    if waitingSince == nil { waitingSince = instant }
  }

  /// The events that were written and are not on the medium.
  var pending: Range<Int> { durable + 1..<written + 1 }

  mutating func noteSync() {
    assert(durable <= written, "more is on the medium than was written")
    durable = written
    waitingSince = nil
  }

  /// The instant at which to sync; `nil` if there is nothing to be brought to the medium, or nothing that must be.
  var deadline: Duration? {
    guard let waitingSince else { return nil }
    return switch policy {
    case .eachBatch: waitingSince
    case .every(let duration): waitingSince + duration
    case .bySystem: nil
    }
  }
}
