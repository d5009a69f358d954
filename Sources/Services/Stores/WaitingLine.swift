/// Who is next: tickets in the order of arrival, served one at a time.
///
/// A plain machine, event in and action out; ``TurnLine`` is the shell that locks, asks, unlocks and acts.
struct WaitingLine<Waiter: Sendable>: Sendable {
  /// The ticket that is being served, or will be next.
  private var serving = 0
  private var nextTicket = 0
  private var waiters: [Int: Waiter] = [:]
  /// Tickets whose owners went away before their turn.
  private var abandoned: Set<Int> = []

  /// Whether nobody is being served or waits.
  var isIdle: Bool { serving == nextTicket }

  mutating func draw() -> Int {
    defer { nextTicket += 1 }
    return nextTicket
  }

  /// - Returns: `true` if it is this ticket's turn already; otherwise the waiter is kept.
  mutating func wait(_ ticket: Int, _ waiter: Waiter) -> Bool {
    if ticket == serving { return true }
    waiters[ticket] = waiter
    return false
  }

  /// The owner of a ticket does not wait any longer.
  ///
  /// - Returns: the waiter, to be turned away; `nil` if its turn has come already, or it has not begun to wait.
  mutating func abandon(_ ticket: Int) -> Waiter? {
    guard let waiter = waiters.removeValue(forKey: ticket) else { return nil }
    abandoned.insert(ticket)
    return waiter
  }

  /// The turn is over.
  ///
  /// - Returns: whose turn it is now, if they wait already.
  mutating func leave() -> Waiter? {
    serving += 1
    while abandoned.remove(serving) != nil { serving += 1 }
    return waiters.removeValue(forKey: serving)
  }
}
