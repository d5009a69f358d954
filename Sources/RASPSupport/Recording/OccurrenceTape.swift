import Streams

/// The newest occurrences of one engine or one cluster, while that is recorded.
///
/// It is there from the first recording on, and has no room between two of them. The next recording goes on with its lane
/// and its numbers. So a thread that has found the tape may use it, whatever has happened since.
///
/// Safe to share: the contents are behind their lock, the rest does not change. What runs while they are locked takes no
/// longer on a longer tape, and is no code of others.
@usableFromInline
package final class OccurrenceTape: Sendable {
  /// An occurrence as it stands on the tape.
  fileprivate struct Content: Sendable {
    let kind: Occurrence.Kind
    let subject: any Sendable
    var outcome: Occurrence.Outcome?
    var endTime: Int64 = 0
  }

  private struct State: Sendable {
    var tape: Tape<Content>
    var name = ""
    var clock: TapeClock?
    /// What the clock reads, and what it adds to that. To use the clock itself would count a reference.
    var system = Unmanaged.passUnretained(CachedClock.none)
    var offset: Int64 = 0

    /// Notes the end of an occurrence, unless it has one or has fallen off.
    @inline(__always)
    mutating func end(_ number: Int64, _ outcome: Occurrence.Outcome, at time: Int64) {
      guard let place = place(of: number) else { return }
      let slot = tape.ring.slot(at: place)
      guard slot.pointee.event.outcome == nil else { return }
      slot.pointee.event.outcome = outcome
      slot.pointee.event.endTime = time
    }

    /// Where the occurrence with a number stands: the numbers have no gap.
    @inline(__always)
    func place(of number: Int64) -> Int? {
      let age = tape.newest &- number
      return age >= 0 && age < Int64(tape.ring.count) ? tape.ring.count &- 1 &- Int(age) : nil
    }
  }

  /// The number that causes have if they name an occurrence of this tape.
  package let lane: Int
  private let state: BriefLock<State>

  /// Makes a tape that has no room.
  ///
  /// - Parameter newest: the number before the first one.
  init(after newest: Int64 = 0) {
    lane = CauseLanes.next()
    state = BriefLock(State(tape: Tape(lane: lane, capacity: 0, after: newest)))
  }

  deinit { state.withLock { $0.tape.ring.deallocate() } }

  /// The name that the lane has in this recording.
  package var name: String { state.withLock(\.name) }

  /// The occurrences up to this moment, the oldest first, without a gap between their numbers.
  ///
  /// They are copied a few at a time, so that those who put something on the tape do not wait for all of them. What falls off
  /// meanwhile is not there.
  ///
  /// - Complexity: O(n).
  package var occurrences: [Occurrence] {
    var found: [Occurrence] = []
    var part: [TapeItem<Content>] = []
    part.reserveCapacity(16)
    var (next, newest) = state.withLock { ($0.tape.newest - Int64($0.tape.ring.count) + 1, $0.tape.newest) }
    while next <= newest {
      let numbers = next...min(next + 15, newest)
      state.withLock { state in
        for number in numbers {
          if let place = state.place(of: number) { part.append(state.tape.ring.slot(at: place).pointee) }
        }
      }
      // Those that are missing are the oldest, so those before them have fallen off, too.
      if part.count < numbers.count { found = [] }
      found += part.lazy.map { Self.occurrence($0) }
      part.removeAll(keepingCapacity: true)
      next = numbers.upperBound + 1
    }
    return found
  }

  /// The occurrence of an item. Its subject may have to make what it stands for, so this is not for a locked tape.
  private static func occurrence(_ item: TapeItem<Content>) -> Occurrence {
    let content = item.event
    return Occurrence(
      number: Int(clamping: item.number),
      kind: content.kind,
      subject: (content.subject as? any OccurrenceSubject)?.subject ?? content.subject,
      cause: item.cause,
      time: .nanoseconds(item.time),
      end: content.outcome.map { Occurrence.End(outcome: $0, time: .nanoseconds(content.endTime)) }
    )
  }

  /// Puts an occurrence on the tape.
  ///
  /// - Parameter outcome: how that which has caused it has ended with it, if it has.
  /// - Returns: its identity; its cause if nothing is recorded.
  @usableFromInline
  func note(
    _ kind: Occurrence.Kind,
    _ subject: consuming any Sendable,
    by cause: CarriedCause,
    ending outcome: Occurrence.Outcome?
  ) -> CarriedCause {
    let origin = cause.cause
    let (contents, time) = lock()
    // A thread may have found the tape while its last recorder left.
    guard contents.pointee.tape.ring.capacity > 0 else {
      state.unlock()
      return cause
    }
    if let outcome, origin.lane == lane { contents.pointee.end(Int64(origin.number), outcome, at: time) }
    let identity = contents.pointee.tape.next
    let number = contents.pointee.tape.newest &+ 1
    let fallen = contents.pointee.tape.append(
      TapeItem(Content(kind: kind, subject: subject), number: number, cause: origin, time: time)
    )
    state.unlock()
    // What has fallen off is released here, where the tape is not locked.
    _ = consume fallen
    return identity
  }

  /// Notes how an execution or an action ended, unless that is known, or it has fallen off the tape, or is none of this
  /// tape's.
  package func noteEnd(of identity: CarriedCause, _ outcome: Occurrence.Outcome) {
    let cause = identity.cause
    guard cause.lane == lane, lane != 0 else { return }
    let (contents, time) = lock()
    contents.pointee.end(Int64(cause.number), outcome, at: time)
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
    // More would be a mistake for which there is no memory.
    var ring = TapeRing<Content>(capacity: max(1, min(count, 1 << 24)))
    state.withLock { state in
      assert(state.tape.ring.capacity == 0, "A recording begins in another one.")
      swap(&ring, &state.tape.ring)
      (state.name, state.clock) = (name, clock)
      (state.system, state.offset) = (clock.system, clock.offset)
    }
    ring.deallocate()
  }

  /// Ends the recording.
  ///
  /// - Returns: what it had, which is to be deallocated where nothing is locked.
  func close() -> Closed {
    var ring = TapeRing<Content>(capacity: 0)
    let clock = state.withLock { state in
      defer {
        (state.name, state.clock) = ("", nil)
        (state.system, state.offset) = (.passUnretained(.none), 0)
      }
      swap(&ring, &state.tape.ring)
      return state.clock
    }
    return Closed(ring: ring, clock: clock)
  }

  /// A recording that has ended.
  struct Closed: Sendable {
    fileprivate let ring: TapeRing<Content>
    /// Released with the rest.
    fileprivate let clock: TapeClock?

    func deallocate() { ring.deallocate() }
  }
}
