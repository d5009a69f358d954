/// Who is next: tickets in the order of arrival, served one at a time.
///
/// A plain machine, event in and action out; ``TurnLine`` is the shell that locks, asks, unlocks and acts.
struct WaitingLine<Waiter: Sendable>: Sendable {
  /// What becomes of a ticket's owner who comes to wait.
  enum Answer: Sendable {
    case enter
    case wait
    /// The ticket was given up before.
    case turnAway
  }

  /// The ticket that is being served, or will be next.
  private var serving = 0
  private var nextTicket = 0
  private var waiters: [Int: Waiter] = [:]
  /// Tickets that were given up before their turn.
  private var abandoned: Set<Int> = []

  /// Whether nobody is being served or waits.
  var isIdle: Bool { serving == nextTicket }

  mutating func draw() -> Int {
    defer { nextTicket += 1 }
    return nextTicket
  }

  mutating func wait(_ ticket: Int, _ waiter: Waiter) -> Answer {
    if ticket == serving { return .enter }
    // One that was given up may have been passed over already.
    if ticket < serving || abandoned.contains(ticket) { return .turnAway }
    waiters[ticket] = waiter
    return .wait
  }

  /// A ticket is given up, unless its turn has come.
  ///
  /// - Returns: its waiter, to be turned away; `nil` if it has not come to wait.
  mutating func abandon(_ ticket: Int) -> Waiter? {
    guard ticket > serving else { return nil }
    abandoned.insert(ticket)
    return waiters.removeValue(forKey: ticket)
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
