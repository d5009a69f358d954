public import Synchronization

/// Remembers that a turn of the main actor has been asked for, so that many events ask for one turn.
///
/// ```
///   any thread:  event  claim ──▶ true: enqueue a turn      event  claim ──▶ false
///   main actor:                                                        begin, then read
/// ```
///
/// The code that calls ``begin()`` reads the state afterwards. So an event whose claim came before is read, and one
/// whose claim comes later asks for another turn: none is missed.
///
/// Safe to share: one atomic. Each step is an exchange that acquires and releases, so ``begin()`` sees what was written
/// before the claims that it ends.
@usableFromInline
final class TurnSignal: Sendable {
  @usableFromInline let isAsked = Atomic<Bool>(false)

  @inlinable
  init() {}

  /// Is `true` if the caller must enqueue the turn, or look by itself.
  @inlinable
  func claim() -> Bool {
    !isAsked.exchange(true, ordering: .acquiringAndReleasing)
  }

  /// Lets the next event ask for another turn.
  @inlinable
  func begin() {
    _ = isAsked.exchange(false, ordering: .acquiringAndReleasing)
  }
}
