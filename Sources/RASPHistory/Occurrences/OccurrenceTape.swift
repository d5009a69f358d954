import RASPSupport
import Streams

/// The newest occurrences of one recording of an engine or a cluster.
///
/// Safe to share: the contents are behind their lock, and the rest does not change. While they are locked, no code of
/// others runs: the clock is asked before, and what falls off is released after it.
package final class OccurrenceTape: OccurrenceRecorder {
  private struct State: Sendable {
    var occurrences = RingBuffer<Occurrence>()
    /// The number of the newest occurrence.
    var newest: Int
    /// The time of the newest occurrence or end.
    var time = Duration.zero
    /// The number of recorders that use it: none once the recording has ended.
    var recorders = 1
    var isOpen: Bool { recorders > 0 }

    /// Notes the end of an occurrence, unless it has one or has fallen off.
    mutating func end(_ number: Int, _ outcome: Occurrence.Outcome) {
      let index = number - newest + occurrences.count - 1
      guard index >= 0, index < occurrences.count, occurrences[index].end == nil else { return }
      occurrences[index].end = Occurrence.End(outcome: outcome, time: time)
    }
  }

  /// The number that causes have if they name an occurrence of this tape.
  package let lane: Int
  package let name: String
  private let limit: Int
  private let clock: TapeClock
  private let state: Lock<State>

  /// Makes a tape that is empty, with one recorder. As long as it has some, causes are carried.
  ///
  /// - Parameters:
  ///   - newest: the number before the first one.
  ///   - count: the number of occurrences that it keeps.
  init(lane: Int, after newest: Int, as name: String, last count: Int, clock: TapeClock) {
    ThreadCause.addRecorder()
    self.lane = lane
    self.name = name
    // More would be a mistake for which there is no memory.
    limit = max(1, min(count, 1 << 24))
    self.clock = clock
    state = Lock(State(newest: newest))
  }

  /// The occurrences up to this moment, the oldest first, without a gap between their numbers.
  ///
  /// They are copied a few at a time, so that those who put something on the tape do not wait for all of them. What
  /// falls off meanwhile is not there.
  ///
  /// - Complexity: O(n).
  package var occurrences: [Occurrence] { occurrences {} }

  /// Does the same.
  ///
  /// - Parameter pause: is called between two pieces.
  func occurrences(_ pause: () -> Void) -> [Occurrence] {
    var found: [Occurrence] = []
    var (next, last) = state.withLock { ($0.newest - $0.occurrences.count + 1, $0.newest) }
    while next <= last {
      let numbers = next..<min(next + 64, last + 1)
      let piece = copies(of: numbers)
      // Those that are missing are the oldest, so those before them have fallen off, too.
      if piece.count < numbers.count { found = [] }
      found += piece
      next = numbers.upperBound
      pause()
    }
    return found
  }

  /// Those that are still there.
  private func copies(of numbers: Range<Int>) -> [Occurrence] {
    state.withLock { state in
      let oldest = state.newest - state.occurrences.count + 1
      return numbers.clamped(to: oldest..<state.newest + 1).map { state.occurrences[$0 - oldest] }
    }
  }

  /// Puts something on the tape.
  ///
  /// - Parameter outcome: how that which has caused it has ended with it, if it has.
  /// - Returns: its identity; its cause if the recording has ended.
  package func note(
    _ kind: Occurrence.Kind,
    _ subject: any Sendable,
    by cause: CarriedCause,
    ending outcome: Occurrence.Outcome?
  ) -> CarriedCause {
    let origin = cause.cause
    let time = Duration.nanoseconds(clock.now)
    let (number, released) = state.withLock { state -> (Int?, Occurrence?) in
      guard state.isOpen else { return (nil, nil) }
      state.time = max(state.time, time)
      if let outcome, origin.lane == lane { state.end(origin.number, outcome) }
      let released = state.occurrences.count == limit ? state.occurrences.popFirst() : nil
      state.newest += 1
      let occurrence = Occurrence(number: state.newest, kind: kind, subject: subject, cause: origin, time: state.time)
      state.occurrences.append(occurrence)
      return (state.newest, released)
    }
    withExtendedLifetime(released) {}
    return number.map { CarriedCause(Cause(lane: lane, number: $0)) } ?? cause
  }

  /// Notes how an execution or an action ended, unless that is known, or it has fallen off the tape, or is none of this
  /// tape's.
  package func noteEnd(of identity: CarriedCause, _ outcome: Occurrence.Outcome) {
    let cause = identity.cause
    guard cause.lane == lane, lane != 0 else { return }
    let time = Duration.nanoseconds(clock.now)
    state.withLock { state in
      state.time = max(state.time, time)
      state.end(cause.number, outcome)
    }
  }

  /// Adds a recorder.
  ///
  /// - Returns: `false` if the recording has ended.
  func begin() -> Bool {
    state.withLock { state in
      if state.isOpen { state.recorders += 1 }
      return state.isOpen
    }
  }

  /// Removes a recorder. With the last one, the recording ends, and the tape is empty from then on.
  ///
  /// - Returns: what the tape had then, to be released where nothing is locked.
  func end() -> RingBuffer<Occurrence>? {
    let released = state.withLock { state -> RingBuffer<Occurrence>? in
      state.recorders -= 1
      if state.isOpen { return nil }
      let released = state.occurrences
      state.occurrences = RingBuffer()
      return released
    }
    if released != nil { ThreadCause.removeRecorder() }
    return released
  }

  /// The number of the newest occurrence.
  var newest: Int { state.withLock(\.newest) }
}

extension OccurrenceHook {
  /// Begins to record. If that goes on already, the tape is shared, and it keeps its name, length and clock.
  ///
  /// All recordings have one lane, and each goes on with the numbers of the one before.
  package func record(as name: String, last count: Int, clock: TapeClock) -> OccurrenceTape {
    let (tape, replaced) = recorder.withLock { recorder -> (OccurrenceTape, OccurrenceTape?) in
      let before = recorder as? OccurrenceTape
      if let before, before.begin() { return (before, nil) }
      let (lane, newest) = (before?.lane ?? CauseLanes.next(), before?.newest ?? 0)
      let tape = OccurrenceTape(lane: lane, after: newest, as: name, last: count, clock: clock)
      recorder = tape
      isRecording.store(true, ordering: .releasing)
      return (tape, before)
    }
    // Its clock may be the last that knows a scheduler of a user, so it is released where nothing is locked.
    withExtendedLifetime(replaced) {}
    return tape
  }

  /// Ends the use of a tape by one recorder.
  package func end(_ tape: OccurrenceTape) {
    let released = recorder.withLock { _ in
      let released = tape.end()
      if released != nil { isRecording.store(false, ordering: .releasing) }
      return released
    }
    withExtendedLifetime(released) {}
  }
}

extension ActivitySource {
  /// Begins to record. What happens gets identities from now on.
  package func record(as name: String, last count: Int, clock: TapeClock) -> OccurrenceTape {
    _activity.hook.record(as: name, last: count, clock: clock)
  }

  /// Ends one use of a tape.
  package func endRecording(onto tape: OccurrenceTape) {
    _activity.hook.end(tape)
  }
}
