import Streams

/// The newest letter of any thread for the main actor. A letter replaces the one before.
///
/// A reader who has just asked for a letter opens the box, looks, and closes it again: a letter that arrives meanwhile
/// needs no turn of the main actor.
///
/// Safe to share: the contents are behind the lock, and a letter that was replaced is released after unlocking.
final class Mailbox<Letter: Sendable>: Sendable {
  private struct Contents: Sendable {
    var letter: Letter?
    var isOpen = false
  }

  private let contents = Lock(Contents())

  /// Says that the reader is about to ``close()``.
  func open() {
    contents.withLock { $0.isOpen = true }
  }

  /// Takes the letter out.
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
  func deliver(_ letter: Letter) -> Bool {
    let (replaced, isOpen) = contents.withLock { contents in
      let replaced = contents.letter
      contents.letter = letter
      return (replaced, contents.isOpen)
    }
    _ = consume replaced
    return !isOpen
  }
}
