/// The values of a ``RollingWindow`` that has a resolution: one entry for all values of one slot.
///
/// A slot begins with its first value, so there is no slot without one.
@usableFromInline
struct SlottedValues<Value: BinaryFloatingPoint & Sendable>: Sendable {
  /// The values of one slot.
  @usableFromInline
  struct Slot: SummarizedEntry {
    /// The end of the slot, which no value of it is as late as.
    @usableFromInline let instant: Duration
    @usableFromInline var count: Int
    @usableFromInline var summary: ValueSummary<Value>

    @inlinable
    init(endingAt instant: Duration, count: Int, _ summary: ValueSummary<Value>) {
      self.instant = instant
      self.count = count
      self.summary = summary
    }
  }

  @usableFromInline let slotDuration: Duration
  /// The slots behind the newest one; and that one, which still takes values in.
  @usableFromInline var slots = SummaryQueue<Slot>()
  @usableFromInline var newest: Slot?
  /// The number of values.
  @usableFromInline var count = 0

  @inlinable
  init(_ slotDuration: Duration) {
    self.slotDuration = slotDuration
  }

  @inlinable
  mutating func insert(_ value: Value, at now: Duration) {
    if var slot = newest.take() {
      if now < slot.instant {
        slot.count += 1
        slot.summary.add(ValueSummary(value))
        count += 1
        return newest = slot
      }
      slots.append(slot)
    }
    newest = Slot(endingAt: now + slotDuration, count: 1, ValueSummary(value))
    count += 1
  }

  /// Drops the slots that end at an instant or before it.
  @inlinable
  mutating func drop(endingBefore instant: Duration) {
    while let oldest = slots.oldest, oldest.instant <= instant {
      slots.removeOldest()
      count -= oldest.count
    }
    guard let slot = newest, slot.instant <= instant else { return }
    count -= slot.count
    newest = nil
  }

  @inlinable
  var summary: ValueSummary<Value> {
    var all = slots.summary
    if let newest { all.add(newest.summary) }
    return all
  }

  /// The slots, the oldest first.
  var all: [Slot] { slots.entries + [newest].compactMap { $0 } }
}
