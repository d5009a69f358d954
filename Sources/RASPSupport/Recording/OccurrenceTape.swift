import Streams

/// The newest occurrences of one engine or one cluster, while that is recorded.
///
/// It is there from the first recording on, and is empty between two of them. The next recording goes on with its lane
/// and its numbers. So a thread that has found the tape may use it, whatever has happened since.
///
/// Safe to share: the contents are behind their lock, the rest does not change. What runs while they are locked takes
/// no longer on a longer tape, and is no code of others.
@usableFromInline
package final class OccurrenceTape: Sendable {
  private struct State: Sendable {
    /// Has memory while something is recorded.
    var ring: OccurrenceRing
    var name = ""
    var clock: TapeClock?
    /// What the clock reads, and what it adds to that. To use the clock itself would count a reference.
    var system = Unmanaged.passUnretained(CachedClock.none)
    var offset: Int64 = 0
  }

  /// The number that causes have if they name an occurrence of this tape.
  package let lane: Int
  private let state: SpinLock<State>

  /// Makes a tape that is empty.
  ///
  /// - Parameter newest: the number before the first one.
  init(after newest: Int64 = 0) {
    lane = CauseLanes.next()
    state = SpinLock(State(ring: OccurrenceRing(after: newest)))
  }

  deinit { close().deallocate() }

  /// The name that the lane has in this recording.
  package var name: String { state.withLock(\.name) }

  /// The occurrences up to this moment, the oldest first, without a gap between their numbers.
  ///
  /// They are copied a few at a time, so that those who put something on the tape do not wait for all of them. What
  /// falls off meanwhile is not there.
  ///
  /// - Complexity: O(n).
  package var occurrences: [Occurrence] {
    var found: [Occurrence] = []
    let all = state.withLock { $0.ring.oldest..<$0.ring.newest + 1 }
    var part = all.prefix(0)
    while part.endIndex < all.upperBound {
      part = all[part.endIndex...].prefix(16)
      let numbers = part
      let copies = state.withLock { $0.ring.copies(of: numbers) }
      // Those that are missing are the oldest, so those before them have fallen off, too.
      if copies.count < numbers.count { found = [] }
      found += copies.lazy.map(\.occurrence)
    }
    return found
  }

  /// What is being put on the tape, which is locked meanwhile.
  @usableFromInline
  struct Entry {
    @usableFromInline let identity: CarriedCause
    /// `nil` if nothing is recorded.
    @usableFromInline let slot: UnsafeMutablePointer<OccurrenceRing.Slot>?
  }

  /// Locks the tape and makes room on it.
  ///
  /// - Parameter outcome: how that which has caused it has ended with it, if it has.
  @usableFromInline
  func begin(_ kind: Occurrence.Kind, by cause: CarriedCause, ending outcome: Occurrence.Outcome?) -> Entry {
    let origin = cause.cause
    let (contents, time) = lock()
    if let outcome, origin.lane == lane {
      contents.pointee.ring.end(Int64(origin.number), outcome, at: time)
    }
    guard let slot = contents.pointee.ring.add(kind, by: origin, at: time) else {
      // A thread may have found the tape while its last recorder left.
      return Entry(identity: cause, slot: nil)
    }
    let number = Int(clamping: contents.pointee.ring.newest)
    return Entry(identity: CarriedCause(Cause(lane: lane, number: number)), slot: slot)
  }

  /// Unlocks the tape.
  @usableFromInline
  func finish() {
    // The tape is still locked by this thread. The pointer is taken first, because a change through the property counts
    // as a change of the lock itself for the thread sanitizer.
    let contents = state.value
    guard contents.pointee.ring.replaced != nil else { return state.unlock() }
    var replaced = contents.pointee.ring.takeReplaced()
    state.unlock()
    replaced.release()
  }

  /// Notes how an execution or an action ended, unless that is known, or it has fallen off the tape, or is none of this
  /// tape's.
  package func noteEnd(of identity: CarriedCause, _ outcome: Occurrence.Outcome) {
    let cause = identity.cause
    guard cause.lane == lane, lane != 0 else { return }
    let (contents, time) = lock()
    contents.pointee.ring.end(Int64(cause.number), outcome, at: time)
    state.unlock()
  }

  /// Locks the tape.
  ///
  /// - Returns: where the contents are, and the time.
  @inline(__always)
  private func lock() -> (UnsafeMutablePointer<State>, Int64) {
    let contents = state.lock()
    let time = contents.pointee.system._withUnsafeGuaranteedRef { $0.time }
    return time > 0 ? (contents, time &+ contents.pointee.offset) : lockAndAsk()
  }

  /// Does the same where the clock has to be asked, which is done while the tape is not locked.
  @inline(never)
  private func lockAndAsk() -> (UnsafeMutablePointer<State>, Int64) {
    let contents = state.value
    var clock = contents.pointee.clock
    state.unlock()
    while true {
      let time = clock?.now ?? 0
      _ = state.lock()
      let present = contents.pointee.clock
      if present === clock { return (contents, time) }
      // Another recording has begun, which has another clock. The one before may be released here.
      state.unlock()
      clock = present
    }
  }

  // MARK: The recorders

  /// Begins a recording. The one before has ended.
  func open(as name: String, last count: Int, clock: TapeClock) {
    let ring = OccurrenceRing(limit: count, after: state.withLock(\.ring.newest))
    state.withLock { state in
      assert(!state.ring.isOpen, "A recording begins in another one.")
      (state.ring, state.name, state.clock) = (ring, name, clock)
      (state.system, state.offset) = (clock.system, clock.offset)
    }
  }

  /// Ends the recording.
  ///
  /// - Returns: what it had, which is to be deallocated where nothing is locked.
  func close() -> Closed {
    state.withLock { state in
      defer {
        (state.name, state.clock) = ("", nil)
        (state.system, state.offset) = (.passUnretained(.none), 0)
      }
      return Closed(ring: state.ring.take(), clock: state.clock)
    }
  }

  /// A recording that has ended.
  struct Closed: Sendable {
    fileprivate let ring: OccurrenceRing
    /// Released with the rest.
    fileprivate let clock: TapeClock?

    func deallocate() { ring.deallocate() }
  }
}
