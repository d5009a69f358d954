/// The newest occurrences of one engine or one cluster: a ring of fixed size.
///
/// Safe to share: the ring is behind its lock, the rest does not change.
package final class OccurrenceTape: Sendable {
  private struct Item: Sendable {
    let number: Int
    let kind: Occurrence.Kind
    let subject: any Sendable
    let cause: Cause
    let time: Int64
    var outcome: Occurrence.Outcome?
    var endTime: Int64 = 0

    var occurrence: Occurrence {
      Occurrence(
        number: number,
        kind: kind,
        subject: subject,
        cause: cause,
        time: .nanoseconds(time),
        end: outcome.map { Occurrence.End(outcome: $0, time: .nanoseconds(endTime)) }
      )
    }
  }

  /// Invariant: the item with the number n stands at (n - 1) modulo `capacity`, and the numbers have no gap.
  private struct Ring: Sendable {
    let capacity: Int
    var items: [Item] = []
    var newest = 0
    var isClosed = false

    /// Notes the end of an item, unless it has one.
    mutating func end(_ number: Int, _ outcome: Occurrence.Outcome, at time: Int64) {
      let slot = (number - 1) % capacity
      guard slot >= 0, slot < items.count, items[slot].number == number, items[slot].outcome == nil else { return }
      items[slot].outcome = outcome
      items[slot].endTime = time
    }
  }

  /// The number that causes have if they name an occurrence of this tape.
  package let lane: Int
  package let name: String
  private let clock: TapeClock
  private let ring: Lock<Ring>

  package init(as name: String, last count: Int, clock: TapeClock) {
    lane = CauseLanes.next()
    self.name = name
    self.clock = clock
    ring = Lock(Ring(capacity: max(1, count)))
  }

  /// The occurrences, the oldest first.
  ///
  /// - Complexity: O(n).
  package var occurrences: [Occurrence] {
    ring.withLock(\.items).sorted { $0.number < $1.number }.map(\.occurrence)
  }

  /// Puts something on the tape.
  ///
  /// - Parameter outcome: how that which has caused it has ended with it, if it has.
  /// - Returns: its identity.
  package func note(
    _ kind: Occurrence.Kind,
    _ subject: any Sendable,
    by cause: CarriedCause,
    ending outcome: Occurrence.Outcome? = nil
  ) -> CarriedCause {
    let time = clock.now
    let (number, replaced) = ring.withLock { ring -> (Int, Item?) in
      // A thread may have found the tape while its last recorder left.
      if ring.isClosed { return (0, nil) }
      ring.newest += 1
      if let outcome, cause.cause.lane == lane { ring.end(cause.cause.number, outcome, at: time) }
      let item = Item(number: ring.newest, kind: kind, subject: subject, cause: cause.cause, time: time)
      if ring.items.count < ring.capacity {
        ring.items.append(item)
        return (ring.newest, nil)
      }
      let slot = (ring.newest - 1) % ring.capacity
      let replaced = ring.items[slot]
      ring.items[slot] = item
      return (ring.newest, replaced)
    }
    // The user's value is released after unlocking.
    _ = consume replaced
    return number == 0 ? cause : CarriedCause(Cause(lane: lane, number: number))
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
    let items = ring.withLock { ring in
      let items = ring.items
      ring.items = []
      ring.isClosed = true
      return items
    }
    _ = consume items
  }
}
