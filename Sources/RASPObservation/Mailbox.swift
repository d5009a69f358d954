public import Streams

/// The newest letter of any thread for the main actor. A letter replaces the one before.
///
/// A reader who has just asked for a letter opens the box, looks, and closes it again: a letter that arrives meanwhile
/// needs no turn of the main actor.
///
/// Safe to share: the contents are behind the lock, and a letter that was replaced is released after unlocking.
@usableFromInline
final class Mailbox<Letter: Sendable>: Sendable {
  @usableFromInline
  struct Contents: Sendable {
    @usableFromInline var letter: Letter?
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

  /// Takes the letter out.
  @inlinable
  func close() -> Letter? {
    contents.withLock { contents in
      contents.isOpen = false
      let letter = contents.letter
      contents.letter = nil
      return letter
    }
  }

  /// Puts a letter in.
  ///
  /// - Returns: `true` if the reader does not look by itself, and has to be told.
  @inlinable
  func deliver(_ letter: Letter) -> Bool {
    let (replaced, isOpen) = contents.withLock { contents in
      let replaced = contents.letter
      contents.letter = letter
      return (replaced, contents.isOpen)
    }
    _ = consume replaced
    return !isOpen
  }

  /// Puts a letter back that was taken out, unless a newer one has come.
  ///
  /// - Returns: `true` if it was put back, and the reader has to be told.
  @inlinable
  func putBack(_ letter: Letter) -> Bool {
    contents.withLock { contents in
      guard contents.letter == nil else { return false }
      contents.letter = letter
      return true
    }
  }
}
