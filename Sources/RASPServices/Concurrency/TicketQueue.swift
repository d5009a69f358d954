/// The order in which tickets are served: first in, first out, one at a time.
///
/// A pure machine, event in and action out. ``AsyncMutex`` is the shell that locks, asks the machine, unlocks and acts.
///
///                    0 ..< serving           serving      ..< next        next ...
///     tickets  served or given up | in service or due | queued | not drawn yet
///
/// Invariants:
/// - `serving <= next`.
/// - A ticket is let in at most once, and no ticket is let in between that and the next ``leave()``. So at most one
///   owner is inside at any time, whatever the owners do.
/// - A waiter stands under a queued ticket only, and a ticket that was given up has none.
@usableFromInline
struct TicketQueue<Waiter: Sendable>: Sendable {
  /// The answer to the owner of a ticket that asks to be let in.
  @usableFromInline
  enum Answer: Sendable {
    case enter
    /// The waiter is kept, and ``leave()`` hands it out when the ticket is let in.
    case wait
    /// The ticket was given up, or used before.
    case refuse
  }

  /// The ticket that is inside or due; `next` if there is none.
  private var serving = 0
  private var next = 0
  /// Is `true` while the owner of `serving` is inside.
  private var isInside = false
  private(set) var waiters: [Int: Waiter] = [:]
  /// Queued tickets that were given up.
  private var abandoned: Set<Int> = []

  init() {}

  /// Is `true` if every ticket that was drawn has been served or given up.
  var isIdle: Bool { serving == next }

  /// Hands out the next ticket.
  mutating func draw() -> Int {
    defer { next += 1 }
    return next
  }

  /// Answers the owner of a ticket that asks to be let in.
  mutating func wait(_ ticket: Int, _ waiter: Waiter) -> Answer {
    assert(ticket < next, "A ticket that was never drawn")
    if ticket == serving { return enter() ? .enter : .refuse }
    // The queue may have passed over a ticket that was given up.
    if ticket < serving || abandoned.contains(ticket) || waiters[ticket] != nil { return .refuse }
    waiters[ticket] = waiter
    return .wait
  }

  /// Lets in the owner of the ticket that is due.
  ///
  /// - Returns: `false` if they are inside already.
  mutating func enter() -> Bool {
    assert(!isIdle, "No ticket is due")
    defer { isInside = true }
    return !isInside
  }

  /// Returns whether a ticket that waited is inside now, and was not given up.
  func isInside(_ ticket: Int) -> Bool { isInside && ticket == serving }

  /// Gives a ticket up, unless it is inside or due, or was served.
  ///
  /// - Returns: the waiter of the ticket, to be refused; `nil` if there is none.
  mutating func abandon(_ ticket: Int) -> Waiter? {
    assert(ticket < next, "A ticket that was never drawn")
    guard ticket > serving else { return nil }
    abandoned.insert(ticket)
    return waiters.removeValue(forKey: ticket)
  }

  /// Lets the owner of the ticket that is inside leave.
  ///
  /// - Returns: the waiter of the ticket that is let in by that; `nil` if there is none yet.
  mutating func leave() -> Waiter? {
    assert(isInside, "No ticket is inside")
    serving += 1
    // Most tickets are served at once. Then nothing is looked up.
    while !abandoned.isEmpty, abandoned.remove(serving) != nil { serving += 1 }
    assert(serving <= next)
    let waiter = waiters.isEmpty ? nil : waiters.removeValue(forKey: serving)
    isInside = waiter != nil
    return waiter
  }
}
