/// The newest occurrences of a tape, the memory of an ``OccurrenceTape``.
///
/// ```
///            next
///             ▼
///   [ 45  46  41  42  43  44 ]
/// ```
///
/// It grows up to its limit. Nothing is allocated for an occurrence after that.
///
/// Safe to share: as the tape.
///
/// Invariants:
/// - The newest occurrence has the number `newest` and stands before `next`, around the end. The `count - 1` before it
///   have the numbers before, without a gap.
/// - All slots are initialized, and those without an occurrence own nothing.
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
    @usableFromInline var subject = ValueRoom()

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

  private let limit: Int
  private var capacity: Int
  /// `nil` once the ring was taken.
  private var slots: UnsafeMutablePointer<Slot>?
  private var count = 0
  private var next = 0
  private(set) var newest = 0
  /// What was replaced and owns something. It is released where the tape is not locked.
  private(set) var replaced: Slot?

  init(limit: Int) {
    self.limit = limit
    capacity = min(limit, 64)
    slots = .allocate(capacity: capacity)
    slots?.initialize(repeating: Slot(), count: capacity)
  }

  /// Adds an occurrence.
  ///
  /// - Returns: its slot, into which the subject is to be put; `nil` once the ring was taken.
  @inline(__always)
  mutating func add(_ kind: Occurrence.Kind, by cause: Cause, at time: Int64) -> UnsafeMutablePointer<Slot>? {
    if next == capacity { turn() }
    guard let slot = slots.map({ $0 + next }) else { return nil }
    if slot.pointee.ownsAnything { replace(slot) }
    next &+= 1
    newest &+= 1
    if count < capacity { count &+= 1 }
    slot.pointee.kind = kind
    slot.pointee.end = .open
    slot.pointee.cause = cause
    slot.pointee.time = time
    return slot
  }

  /// Notes the end of an occurrence, unless it has one or has fallen off.
  @inline(__always)
  mutating func end(_ number: Int, _ outcome: Occurrence.Outcome, at time: Int64) {
    let age = newest &- number
    guard let slots, age >= 0, age < count else { return }
    let index = next &- 1 &- age
    let slot = slots + (index < 0 ? index &+ capacity : index)
    guard slot.pointee.end == .open else { return }
    slot.pointee.endTime = time
    switch outcome {
    case .handled: slot.pointee.end = .handled
    case .stopped: slot.pointee.end = .stopped
    case .failed(let error):
      slot.pointee.end = .failed
      slot.pointee.error = error
    }
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

  /// The end of the slots has been reached: begins anew, unless the ring may grow.
  private mutating func turn() {
    guard capacity < limit, let old = slots else { return next = 0 }
    let longer = min(capacity * 2, limit)
    let slots = UnsafeMutablePointer<Slot>.allocate(capacity: longer)
    slots.moveInitialize(from: old, count: capacity)
    (slots + capacity).initialize(repeating: Slot(), count: longer - capacity)
    old.deallocate()
    (self.slots, capacity) = (slots, longer)
  }

  /// The occurrences, the oldest first.
  var occurrences: [Occurrence] {
    guard let slots else { return [] }
    return (0..<count).map { place in
      let index = next - count + place
      return slots[index < 0 ? index + capacity : index].occurrence(newest - count + 1 + place)
    }
  }

  /// Returns the ring, and has none from now on.
  mutating func take() -> OccurrenceRing {
    defer { (slots, capacity, count, next) = (nil, 0, 0, 0) }
    return self
  }

  /// Releases everything. The ring must not be used after that.
  func deallocate() {
    guard let slots else { return }
    for index in 0..<capacity { slots[index].release() }
    slots.deinitialize(count: capacity)
    slots.deallocate()
  }
}

extension OccurrenceRing.Slot {
  fileprivate mutating func occurrence(_ number: Int) -> Occurrence {
    let outcome: Occurrence.Outcome? =
      switch end {
      case .open: nil
      case .handled: .handled
      case .stopped: .stopped
      case .failed: error.map { .failed($0) }
      }
    let subject = subject.value ?? ()
    return Occurrence(
      number: number,
      kind: kind,
      subject: (subject as? any OccurrenceSubject)?.subject ?? subject,
      cause: cause,
      time: .nanoseconds(time),
      end: outcome.map { Occurrence.End(outcome: $0, time: .nanoseconds(endTime)) }
    )
  }
}
