import Synchronization

/// The newest value on its way from one sender to one reader, neither of whom ever waits for the other.
///
/// Three places: the sender fills one, the reader empties one, and the third is in the middle. Sender and reader exchange
/// their place for the one in the middle, in one atomic step. A value that the sender gets back unread is lost, and counted.
///
/// Safe to share:
/// - A place belongs to whoever holds its index: one to the sender, one to the reader, the one in the middle to nobody.
///   Indices change hands only through `word`, with an operation that acquires and releases, so what was written to a place
///   happens before it is read.
/// - The sender's side is called by the deliveries of one subscription, which never overlap. The reader's side is called by
///   an iterator, which is not `Sendable`: calls may come one after the other from several tasks, never at once.
/// - The continuation is written by the reader before it sets `waiting`, and never again before it was resumed: a reader that
///   has not run again since refuses every other. Whoever clears `waiting` resumes it, and reads it only then: read before,
///   it could be that of an earlier wait, because the word comes to be the same again. One operation clears the bit, so it
///   is resumed once.
/// - ``cancel()`` may be called by anyone. The first to set `cancelled` takes the value in the middle, if there is one,
///   because from then on nobody exchanges places.
@usableFromInline
final class NewestSlot<Element: Sendable>: Sendable {
  /// What there is for a reader.
  @usableFromInline
  enum Reading: Sendable {
    case value(Element)
    case end
    /// Nothing yet.
    case nothing
  }

  /// The sender's own: its place, and the word as it left it.
  @usableFromInline
  struct Sender {
    @usableFromInline var place: UInt8 = 0
    @usableFromInline var lastWord: UInt8 = 1

    @inlinable init() {}
  }

  /// The reader's own.
  @usableFromInline
  struct Reader {
    @usableFromInline var place: UInt8 = 2
    /// From before a task waits until it runs again, which is longer than the bit in the word is set.
    @usableFromInline var isWaiting = false
    @usableFromInline var continuation: UnsafeContinuation<Void, Never>?

    @inlinable init() {}
  }

  /// Bits of the word; the two lowest are the index of the place in the middle.
  @usableFromInline static var index: UInt8 { 3 }
  /// There is a value in the middle that nobody has read.
  @usableFromInline static var fresh: UInt8 { 4 }
  @usableFromInline static var waiting: UInt8 { 8 }
  @usableFromInline static var ended: UInt8 { 16 }
  @usableFromInline static var cancelled: UInt8 { 32 }

  @usableFromInline let exchange = Exchange<Element>()
  @usableFromInline let sender = CachePadded(Sender())
  @usableFromInline let reader = CachePadded(Reader())
  @usableFromInline let drops: DropCounter

  @inlinable
  init(drops: DropCounter) {
    self.drops = drops
  }

  /// The sender: puts a value in the place of the one before, and wakes a reader that waits.
  @inlinable
  func send(_ value: Element) {
    let own = sender.value.place
    exchange.put(value, in: own)
    // Most of the time nobody has touched the word since, so there is no need to read it first.
    let exchanged = change(from: sender.value.lastWord) { word in
      word & Self.cancelled == 0 ? word & Self.ended | Self.fresh | own : nil
    }
    guard let old = exchanged else {
      exchange.put(nil, in: own)
      return
    }
    sender.value.lastWord = old & Self.ended | Self.fresh | own
    sender.value.place = old & Self.index
    if old & Self.fresh != 0 {
      exchange.put(nil, in: old & Self.index)
      drops.increment()
    }
  }

  /// The sender: there is no other value. One that has not been read yet can still be.
  @inlinable
  func end() {
    _ = change { ($0 | Self.ended) & ~Self.waiting }
  }

  /// The reader: what there is to read without waiting.
  @inlinable
  func take() -> Reading {
    let word = exchange.word.pointee.load(ordering: .acquiring)
    if word & Self.fresh == 0 { return word & (Self.ended | Self.cancelled) == 0 ? .nothing : .end }
    let own = reader.value.place
    let exchanged = change(from: word) { word in
      word & Self.fresh != 0 ? word & ~(Self.fresh | Self.index) | own : nil
    }
    // If it is not fresh any more, it was cancelled meanwhile.
    guard let old = exchanged else { return .end }
    reader.value.place = old & Self.index
    return exchange.take(from: old & Self.index).map(Reading.value) ?? .end
  }

  /// The reader: suspends until there is something to take.
  ///
  /// - Returns: `false`, at once, if another task waits already, or was woken and has not run yet: one iterator has one
  ///   reader, and a second one is refused rather than leaving either without an answer.
  @inlinable
  func wait(isolation: isolated (any Actor)?) async -> Bool {
    if reader.value.isWaiting { return false }
    reader.value.isWaiting = true
    await withUnsafeContinuation(isolation: isolation) { continuation in
      reader.value.continuation = continuation
      let old = change { $0 & (Self.fresh | Self.ended | Self.cancelled) == 0 ? $0 | Self.waiting : nil }
      if old == nil { continuation.resume() }
    }
    reader.value.isWaiting = false
    return true
  }

  /// Anyone: nobody wants values any more. What was not read is let go of, and a reader that waits is woken.
  @usableFromInline
  func cancel() {
    let exchanged = change { word in
      word & Self.cancelled == 0 ? (word | Self.cancelled) & ~(Self.fresh | Self.waiting) : nil
    }
    guard let old = exchanged else { return }
    if old & Self.fresh != 0 { exchange.put(nil, in: old & Self.index) }
  }

  /// Changes the word in one step, unless `change` says that there is nothing to change, and wakes the reader if it does not
  /// wait any more.
  ///
  /// - Parameter expected: what the word may well be.
  /// - Returns: the word as it was.
  @inlinable
  @inline(__always)
  func change(from expected: UInt8? = nil, _ change: (UInt8) -> UInt8?) -> UInt8? {
    var current = expected ?? exchange.word.pointee.load(ordering: .acquiring)
    while let desired = change(current) {
      let (exchanged, original) = exchange.word.pointee.compareExchange(
        expected: current,
        desired: desired,
        ordering: .acquiringAndReleasing
      )
      if exchanged {
        if original & ~desired & Self.waiting != 0 { reader.value.continuation?.resume() }
        return original
      }
      current = original
    }
    return nil
  }
}
