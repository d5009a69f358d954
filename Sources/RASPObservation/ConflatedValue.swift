import Streams

/// The newest value of any thread for the main actor. A value replaces the one before.
///
/// A reader who has just asked for a value opens it, looks, and closes it again: a value that arrives meanwhile needs
/// no turn of the main actor.
///
/// Safe to share: the contents are behind the lock, and a value that was replaced is released after unlocking.
@usableFromInline
final class ConflatedValue<Value: Sendable>: Sendable {
  @usableFromInline
  struct Contents: Sendable {
    @usableFromInline var newest: Value?
    @usableFromInline var isOpen = false

    @inlinable init() {}
  }

  @usableFromInline let contents: Lock<Contents>

  @inlinable
  init() {
    contents = Lock(Contents())
  }

  /// Says that the reader is about to ``close()``.
  @inlinable
  func open() {
    contents.withLock { $0.isOpen = true }
  }

  /// Takes the value out.
  @inlinable
  func close() -> Value? {
    contents.withLock { contents in
      contents.isOpen = false
      let newest = contents.newest
      contents.newest = nil
      return newest
    }
  }

  /// Puts a value in.
  ///
  /// - Returns: `true` if the reader does not look by itself, and has to be told.
  @inlinable
  func deliver(_ newest: Value) -> Bool {
    let (replaced, isOpen) = contents.withLock { contents in
      let replaced = contents.newest
      contents.newest = newest
      return (replaced, contents.isOpen)
    }
    _ = consume replaced
    return !isOpen
  }

  /// Puts a value back that was taken out, unless a newer one has come.
  ///
  /// - Returns: `true` if it was put back, and the reader has to be told.
  @inlinable
  func putBack(_ newest: Value) -> Bool {
    contents.withLock { contents in
      guard contents.newest == nil else { return false }
      contents.newest = newest
      return true
    }
  }
}
