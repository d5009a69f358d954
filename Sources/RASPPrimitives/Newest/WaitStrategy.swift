/// How a reader of the newest value waits: how often it looks before it suspends, and when it lets other tasks run. A
/// plain state machine.
///
/// There are three costs. A look takes the cache line away from the sender's processor. A suspended reader has to be
/// woken by the sender, which costs the sender as much as hundreds of values, and the reader some microseconds. A yield
/// is one trip through the queue of the reader's executor.
///
/// - The reader looks at once. It yields first only if the value before had replaced one that was not read: then the
///   sender is faster than the reader, and a reader that never suspends would keep its executor from other tasks. If
///   value after value replaces others, it yields up to three times in the concurrent pool, which spares the sender
///   looks.
/// - If there is nothing, the reader yields and looks again, up to a limit, and then suspends.
/// - If no look succeeded, the reader suspends after its first look for the next 15 times: with a slow sender that is
///   right. It tries again from time to time, because a sender that wakes its reader for each value looks slow to the
///   reader.
///
/// Latency: a reader that yields is in its executor's queue already when the value comes. A reader that is woken enters
/// the queue when the value comes. So to yield is never later than to be woken, as long as there is *one* yield between
/// two looks.
@usableFromInline
package struct WaitStrategy: Sendable {
  /// How many waits there are from one attempt to be answered by looking to the next.
  @usableFromInline static var interval: Int { 16 }

  /// How often a reader looks before it suspends, if looking is worth it.
  ///
  /// On the executor of an actor twice: each yield is a trip through the queue of an executor that others need, for the
  /// main actor the queue of the main thread. In the concurrent pool longer than it takes the sender to wake a reader,
  /// because sender and reader otherwise fall into step, and each value is a wake.
  @inlinable
  package static func limit(isIsolated: Bool) -> Int { isIsolated ? 2 : 64 }

  /// The number of values in a row that had replaced others.
  @usableFromInline var replacements = 0
  @usableFromInline var waitsInARow = 0

  @inlinable
  package init() {}

  /// How often to look before suspending, with one yield between two looks.
  @usableFromInline
  package func looks(isIsolated: Bool) -> Int {
    waitsInARow.isMultiple(of: Self.interval) ? Self.limit(isIsolated: isIsolated) : 1
  }

  /// How often to yield before the first look.
  @usableFromInline
  package func yields(isIsolated: Bool) -> Int { min(replacements, isIsolated ? 1 : 3) }

  /// There was a value without waiting.
  ///
  /// - Parameter hasReplaced: whether it replaced one that the reader has not read.
  @usableFromInline
  package mutating func found(hasReplaced: Bool) {
    replacements = hasReplaced ? replacements &+ 1 : 0
    waitsInARow = 0
  }

  /// There was none, and the reader suspends.
  @usableFromInline
  package mutating func suspends() {
    replacements = 0
    waitsInARow &+= 1
  }
}
