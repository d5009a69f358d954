import Synchronization

/// A word, and three places of which it says whose they are: what the sender and the reader of a ``NewestSlot`` exchange.
///
/// The word lies beside the places, because whoever uses the one uses the others, and nothing else lies on their cache lines.
///
/// Safe to share: the word is atomic, and a place is used by whoever the word says it belongs to.
@usableFromInline
struct Exchange<Element: Sendable>: ~Copyable, @unchecked Sendable {
  @usableFromInline let word: UnsafeMutablePointer<Atomic<UInt8>>
  @usableFromInline let places: UnsafeMutablePointer<Element?>

  /// The place in the middle is 1.
  @usableFromInline
  init() {
    let offset = max(MemoryLayout<Atomic<UInt8>>.size, MemoryLayout<Element?>.alignment)
    let memory = UnsafeMutableRawPointer.allocate(
      byteCount: CacheLine.round(up: offset + 3 * MemoryLayout<Element?>.stride),
      alignment: max(CacheLine.size, MemoryLayout<Element?>.alignment)
    )
    word = memory.bindMemory(to: Atomic<UInt8>.self, capacity: 1)
    word.initialize(to: Atomic(1))
    places = (memory + offset).bindMemory(to: Element?.self, capacity: 3)
    places.initialize(repeating: nil, count: 3)
  }

  deinit {
    places.deinitialize(count: 3)
    word.deinitialize(count: 1)
    UnsafeMutableRawPointer(word).deallocate()
  }

  // Functions, not an accessor: the thread sanitizer takes a change through an accessor for a change of all three.

  /// Puts a value in a place below 3, and lets go of what was there.
  @inlinable
  @inline(__always)
  func put(_ value: Element?, in place: UInt8) {
    places[Int(place)] = value
  }

  /// Takes the value out of a place below 3.
  @inlinable
  @inline(__always)
  func take(from place: UInt8) -> Element? {
    places[Int(place)].take()
  }
}
