/// Says what happens when work is started again while it is running.
///
/// | Policy | The work that is running | The newcomer |
/// |---|---|---|
/// | ``concurrent`` | goes on | starts at once |
/// | ``newest`` | is cancelled | starts at once |
/// | ``first`` | goes on | is dropped |
/// | ``serial`` | goes on | starts when all earlier work has ended |
///
/// The function that has a policy as its parameter says which work counts as the same.
#if hasAttribute(nonexhaustive)
  @nonexhaustive
#endif
public enum OverlapPolicy: Sendable, Hashable, CaseIterable {
  /// All work runs side by side.
  case concurrent

  /// Only the newest work matters: the one that is running is cancelled, and the newcomer starts at once. It does not
  /// wait until the cancelled work has noticed.
  case newest

  /// Only the first work matters: a newcomer is dropped while work is running.
  case first

  /// One after the other, in the order of arrival.
  case serial
}

/// Decides which work starts, waits, is cancelled or dropped: a pure machine, event in and action out.
///
/// ```
///            arrived ─▶ start | replace                    left
///     ┌──────────────────────────────────▶ running ──────────────────▶ gone
///  newcomer ──arrived ─▶ wait──▶ waiting ──▲  left (of the one before)  ▲
///     │                             └──────────────left────────────────┤
///     └──────arrived ─▶ drop────────────────────────────────────────────┘
/// ```
///
/// Invariants:
/// - With ``OverlapPolicy/first`` and ``OverlapPolicy/serial``, at most one work is running.
/// - With ``OverlapPolicy/newest``, at most one of the running works has not been replaced.
/// - Work waits only with ``OverlapPolicy/serial``, and only while another is running.
/// - Every work that was not dropped leaves once.
///
/// The owner locks, asks, unlocks and acts. What it cancels stays in the machine until it has left.
@usableFromInline
package struct OverlapMachine<Work: Sendable>: Sendable {
  /// The number that a work has in this machine. Numbers rise in the order of arrival.
  @usableFromInline package typealias Number = Int

  /// What is to be done with a newcomer.
  @usableFromInline
  package enum Answer: Sendable {
    case start(Number)
    /// Start it, and cancel the work that it replaces.
    case replace(Number, Work)
    /// Keep it: ``OverlapMachine/left(_:_:)`` hands it out when its turn comes.
    case wait(Number)
    case drop
  }

  @usableFromInline package let policy: OverlapPolicy

  @usableFromInline var next = 0
  @usableFromInline var running: Set<Number> = []
  /// The work that a newcomer replaces, with ``OverlapPolicy/newest``.
  @usableFromInline var newest: (number: Number, work: Work)?
  @usableFromInline var waiting: [Number: Work] = [:]
  /// No work with a smaller number is waiting.
  @usableFromInline var firstWaiting = 0

  @inlinable
  package init(_ policy: OverlapPolicy) {
    self.policy = policy
  }

  /// Is `true` if no work is running, and so none is waiting.
  @inlinable package var isIdle: Bool { running.isEmpty }

  /// Takes in a newcomer.
  ///
  /// - Complexity: O(1).
  @inlinable
  package mutating func arrived(_ work: Work) -> Answer {
    switch policy {
    case .concurrent:
      return .start(run())
    case .newest:
      let replaced = newest
      let number = run()
      newest = (number, work)
      return if let replaced { .replace(number, replaced.work) } else { .start(number) }
    case .first:
      return isIdle ? .start(run()) : .drop
    case .serial:
      if isIdle { return .start(run()) }
      defer { next += 1 }
      waiting[next] = work
      return .wait(next)
    }
  }

  /// Takes in that a work has ended, or was withdrawn while it waited.
  ///
  /// - Parameter gone: gets the work if the machine has kept it. The owner releases it after unlocking, because that
  ///   may run code of the user.
  /// - Returns: the work that is to be started now, with its number.
  /// - Complexity: O(1), amortised.
  @inlinable
  package mutating func left(_ number: Number, _ gone: inout Work?) -> (number: Number, work: Work)? {
    if let withdrawn = waiting.removeValue(forKey: number) {
      gone = withdrawn
      return nil
    }
    let wasRunning = running.remove(number) != nil
    assert(wasRunning, "A work leaves that is neither running nor waiting.")
    if newest?.number == number {
      gone = newest?.work
      newest = nil
    }
    guard wasRunning, !waiting.isEmpty else { return nil }
    assert(running.isEmpty, "Work waits beside two that are running.")
    firstWaiting = max(firstWaiting, number + 1)
    while firstWaiting < next {
      defer { firstWaiting += 1 }
      guard let work = waiting.removeValue(forKey: firstWaiting) else { continue }
      running.insert(firstWaiting)
      return (firstWaiting, work)
    }
    assertionFailure("Waiting work has no number.")
    return nil
  }

  @inlinable
  mutating func run() -> Number {
    defer { next += 1 }
    running.insert(next)
    return next
  }
}
