import Streams

/// The newest occurrences of a tape, the memory of an ``OccurrenceTape``.
///
/// ```
///   chunks   [ 45  46  41  42 ] [ 43  44 ]
///                      ▲ next
/// ```
///
/// It grows chunk by chunk, up to its limit. Nothing is allocated for an occurrence after that. No call takes longer
/// for a longer ring, because a thread that adds something waits for it, except ``deallocate()``.
///
/// Safe to share: as the tape.
///
/// Invariants:
/// - The newest occurrence has the number `newest` and stands before `next`, around the end. The `count - 1` before it
///   have the numbers before, without a gap.
/// - All slots of a chunk are initialized, and those without an occurrence own nothing.
@usableFromInline
struct OccurrenceRing: @unchecked Sendable {
  @usableFromInline
  struct Slot: Sendable {
    var kind = Occurrence.Kind.event
    var end = End.open
    var cause = Cause.unknown
    var time: Int64 = 0
    var endTime: Int64 = 0
    var error: (any Error)?
    /// What it was about.
    @usableFromInline var subject = InlineValue()

    init() {}

    var ownsAnything: Bool { subject.isOwner || error != nil }

    /// Releases what it owns.
    mutating func release() {
      subject.release()
      error = nil
    }
  }

  enum End {
    /// An event has no end, and what is running has none yet.
    case open
    case handled
    case stopped
    case failed
  }

  private static let chunkBits = 6
  private static let chunkSize = 1 << chunkBits

  private var limit = 0
  /// The memory of the chunks, which begin with `nil`; `nil` for a ring without memory, into which nothing fits.
  private var chunks: UnsafeMutablePointer<UnsafeMutablePointer<Slot>?>?
  /// The chunk of the slot before ``next``.
  private var chunk: UnsafeMutablePointer<Slot>?
  /// Where the chunk begins and ends.
  private var bounds = 0..<0
  private var count = 0
  private var next = 0
  private(set) var newest: Int64
  /// What was replaced and owns something. It is released where the tape is not locked.
  private(set) var replaced: Slot?

  /// Makes a ring without memory.
  ///
  /// - Parameter newest: the number before the first one.
  init(after newest: Int64) {
    self.newest = newest
  }

  /// Makes a ring.
  ///
  /// - Parameters:
  ///   - limit: the number of occurrences that fit in.
  ///   - newest: the number before the first one.
  init(limit: Int, after newest: Int64) {
    // More would be a mistake for which there is no memory.
    self.limit = max(1, min(limit, 1 << 24))
    self.newest = newest
    let chunkCount = (self.limit - 1) / Self.chunkSize + 1
    let chunks = UnsafeMutablePointer<UnsafeMutablePointer<Slot>?>.allocate(capacity: chunkCount)
    chunks.initialize(repeating: nil, count: chunkCount)
    self.chunks = chunks
  }

  /// Is `true` if it has memory.
  var isOpen: Bool { chunks != nil }

  /// Adds an occurrence.
  ///
  /// - Returns: its slot, into which the subject is to be put; `nil` if the ring has no memory.
  @inline(__always)
  mutating func add(_ kind: Occurrence.Kind, by cause: Cause, at time: Int64) -> UnsafeMutablePointer<Slot>? {
    if next == bounds.upperBound { turn() }
    guard let slot = chunk.map({ $0 + (next &- bounds.lowerBound) }) else { return nil }
    if slot.pointee.ownsAnything { replace(slot) }
    next &+= 1
    newest &+= 1
    if count < limit { count &+= 1 }
    slot.pointee.kind = kind
    slot.pointee.end = .open
    slot.pointee.cause = cause
    slot.pointee.time = time
    return slot
  }

  /// Notes the end of an occurrence, unless it has one or has fallen off.
  @inline(__always)
  mutating func end(_ number: Int64, _ outcome: Occurrence.Outcome, at time: Int64) {
    guard let slot = slot(of: number), slot.pointee.end == .open else { return }
    slot.pointee.endTime = time
    switch outcome {
    case .handled: slot.pointee.end = .handled
    case .stopped: slot.pointee.end = .stopped
    case .failed(let error):
      slot.pointee.end = .failed
      slot.pointee.error = error
    }
  }

  @inline(__always)
  private func slot(of number: Int64) -> UnsafeMutablePointer<Slot>? {
    let age = newest &- number
    guard let chunks, age >= 0, age < Int64(count) else { return nil }
    let place = next &- 1 &- Int(truncatingIfNeeded: age)
    let index = place < 0 ? place &+ limit : place
    return chunks[index >> Self.chunkBits].map { $0 + (index & (Self.chunkSize - 1)) }
  }

  @inline(never)
  private mutating func replace(_ slot: UnsafeMutablePointer<Slot>) {
    assert(replaced == nil, "What was replaced has not been released.")
    replaced = slot.move()
    slot.initialize(to: Slot())
  }

  /// Returns what was replaced, to be released.
  @inline(never)
  mutating func takeReplaced() -> Slot {
    replaced.take() ?? Slot()
  }

  /// The end of a chunk has been reached: goes on with the next one, which is made if it is not there.
  @inline(never)
  private mutating func turn() {
    guard let chunks else { return }
    if next == limit { next = 0 }
    let place = next >> Self.chunkBits
    bounds = next..<min(next + Self.chunkSize, limit)
    if chunks[place] == nil {
      let slots = UnsafeMutablePointer<Slot>.allocate(capacity: bounds.count)
      slots.initialize(repeating: Slot(), count: bounds.count)
      chunks[place] = slots
    }
    chunk = chunks[place]
  }

  /// The number of the oldest occurrence; that of the next one if there is none.
  var oldest: Int64 { newest - Int64(count) + 1 }

  /// Copies some occurrences.
  ///
  /// - Parameter numbers: their numbers. Those that are not there are left out.
  func copies(of numbers: Range<Int64>) -> [OccurrenceCopy] {
    numbers.compactMap { number in slot(of: number)?.pointee.copy(number) }
  }

  /// Returns the ring, which has no memory from now on.
  mutating func take() -> OccurrenceRing {
    let taken = self
    self = OccurrenceRing(after: newest)
    return taken
  }

  /// Releases everything. The ring must not be used after that.
  func deallocate() {
    guard let chunks else { return }
    for place in 0...(limit - 1) / Self.chunkSize {
      guard let slots = chunks[place] else { continue }
      let size = min(Self.chunkSize, limit - place * Self.chunkSize)
      for index in 0..<size { slots[index].release() }
      slots.deinitialize(count: size)
      slots.deallocate()
    }
    chunks.deallocate()
  }
}

/// An occurrence as it stood on the tape.
struct OccurrenceCopy: Sendable {
  fileprivate let number: Int64
  fileprivate let kind: Occurrence.Kind
  fileprivate let subject: any Sendable
  fileprivate let cause: Cause
  fileprivate let time: Int64
  fileprivate let end: OccurrenceRing.End
  fileprivate let endTime: Int64
  fileprivate let error: (any Error)?

  /// The occurrence. Its subject may have to make what it stands for, so this is not for a locked tape.
  var occurrence: Occurrence {
    let outcome: Occurrence.Outcome? =
      switch end {
      case .open: nil
      case .handled: .handled
      case .stopped: .stopped
      case .failed: error.map { .failed($0) }
      }
    return Occurrence(
      number: Int(clamping: number),
      kind: kind,
      subject: (subject as? any OccurrenceSubject)?.subject ?? subject,
      cause: cause,
      time: .nanoseconds(time),
      end: outcome.map { Occurrence.End(outcome: $0, time: .nanoseconds(endTime)) }
    )
  }
}

extension OccurrenceRing.Slot {
  fileprivate mutating func copy(_ number: Int64) -> OccurrenceCopy {
    OccurrenceCopy(
      number: number,
      kind: kind,
      subject: subject.value ?? (),
      cause: cause,
      time: time,
      end: end,
      endTime: endTime,
      error: error
    )
  }
}
