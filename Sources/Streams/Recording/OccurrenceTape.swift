/// The newest occurrences of one engine or one cluster: a ring of fixed size.
///
/// Safe to share: the ring is behind its lock, the rest does not change.
@usableFromInline
package final class OccurrenceTape: Sendable {
  /// The number that causes have if they name an occurrence of this tape.
  package let lane: Int
  package let name: String
  @usableFromInline let clock: TapeClock
  private let ring: BriefLock<OccurrenceRing>

  package init(as name: String, last count: Int, clock: TapeClock) {
    lane = CauseLanes.next()
    self.name = name
    self.clock = clock
    ring = BriefLock(OccurrenceRing(limit: max(1, count)))
  }

  deinit { close() }

  /// The occurrences, the oldest first.
  ///
  /// - Complexity: O(n).
  package var occurrences: [Occurrence] { ring.withLock(\.occurrences) }

  /// What is being put on the tape, which is locked meanwhile.
  @usableFromInline
  struct Entry {
    @usableFromInline let identity: CarriedCause
    /// `nil` if the tape is closed.
    @usableFromInline let slot: UnsafeMutablePointer<OccurrenceRing.Slot>?
  }

  /// Locks the tape and makes room on it.
  ///
  /// - Parameter outcome: how that which has caused it has ended with it, if it has.
  @usableFromInline
  func begin(_ kind: Occurrence.Kind, by cause: CarriedCause, ending outcome: Occurrence.Outcome?) -> Entry {
    let time = clock.now
    let origin = cause.cause
    let ring = ring.lock()
    if let outcome, origin.lane == lane { ring.pointee.end(origin.number, outcome, at: time) }
    guard let slot = ring.pointee.add(kind, by: origin, at: time) else {
      // A thread may have found the tape while its last recorder left.
      return Entry(identity: cause, slot: nil)
    }
    return Entry(identity: CarriedCause(Cause(lane: lane, number: ring.pointee.newest)), slot: slot)
  }

  /// Unlocks the tape.
  @usableFromInline
  func finish() {
    // The tape is still locked by this thread. The pointer is taken first, because a change through the property counts as a
    // change of the lock itself for the thread sanitizer.
    let contents = ring.value
    guard contents.pointee.replaced != nil else { return ring.unlock() }
    var replaced = contents.pointee.takeReplaced()
    ring.unlock()
    replaced.release()
  }

  /// Notes how an execution or an action ended, unless that is known, or it has fallen off the tape, or is none of this
  /// tape's.
  package func noteEnd(of identity: CarriedCause, _ outcome: Occurrence.Outcome) {
    let cause = identity.cause
    guard cause.lane == lane, lane != 0 else { return }
    let time = clock.now
    ring.withLock { $0.end(cause.number, outcome, at: time) }
  }

  /// Releases everything, and takes nothing from now on.
  func close() {
    // Released after unlocking.
    ring.withLock { $0.take() }.deallocate()
  }
}
