/// How a reader spares its sender: a plain state machine.
///
/// Who looks takes memory away from the sender's processor, and who waits has to be woken by it, which costs the sender as
/// much as hundreds of values. So a reader lets others run before it looks, the longer the more often there was something,
/// and looks a while longer before it waits. If that was in vain, it saves itself the trouble the next times: with a slow
/// sender waiting is right. It must try again now and then, because a sender that wakes its reader for each value looks
/// slow to it.
@usableFromInline
struct Patience: Sendable {
  /// How often to let others run before the first look.
  @usableFromInline private(set) var pauses = 1
  private var waitsInARow = 0

  @usableFromInline
  init() {}

  /// How often to look before waiting, letting others run in between: longer than it takes to wake somebody, or just once.
  @usableFromInline var looks: Int { waitsInARow.isMultiple(of: 16) ? 64 : 1 }

  @usableFromInline
  mutating func hasFound() {
    pauses = min(pauses * 2, 16)
    waitsInARow = 0
  }

  @usableFromInline
  mutating func waits() {
    pauses = 1
    waitsInARow += 1
  }
}
