import Streams
import Synchronization

/// Counts the sends that are running, and refuses sends before the opening and after the end.
///
///     building ──open──▶ open ──drain──▶ draining ──last send leaves──▶ closed
///        └──────────────drain──────────────▲
///
/// Safe to share: phase and count are one atomic word, so the last send that leaves and the first one that is refused
/// see the same order. Entering acquires what was written before the opening.
struct DrainGate: ~Copyable, Sendable {
  private enum Phase {
    static let building = 0
    static let open = 1
    /// Only sends that are part of a running send enter.
    static let draining = 2
    static let closed = 3
    static let mask = 3
    /// One send.
    static let unit = 4
  }

  private let word = Atomic<Int>(Phase.building)
  private let drained = Latch()

  func enter(isNested: () -> Bool) throws(ClusterError) {
    let before = word.wrappingAdd(Phase.unit, ordering: .acquiringAndReleasing).oldValue
    let phase = before & Phase.mask
    if phase == Phase.open || (phase == Phase.draining && isNested()) { return }
    leave()
    throw phase == Phase.building ? .notReady : .shutDown
  }

  func leave() {
    let after = word.wrappingSubtract(Phase.unit, ordering: .acquiringAndReleasing).newValue
    if after == Phase.draining { closeIfIdle() }
  }

  /// Admits sends from now on.
  func open() {
    changePhase(from: Phase.building, to: Phase.open)
  }

  /// Refuses new sends.
  func drain() {
    changePhase(from: Phase.open, to: Phase.draining)
    changePhase(from: Phase.building, to: Phase.draining)
    closeIfIdle()
  }

  /// Returns when the last send has left. For one waiter.
  func waitUntilDrained() async {
    await drained.wait()
  }

  private func changePhase(from old: Int, to new: Int) {
    var before = word.load(ordering: .acquiring)
    while before & Phase.mask == old {
      let after = (before & ~Phase.mask) | new
      let (exchanged, found) = word.compareExchange(
        expected: before,
        desired: after,
        ordering: .acquiringAndReleasing
      )
      if exchanged { return }
      before = found
    }
  }

  private func closeIfIdle() {
    let closed = word.compareExchange(
      expected: Phase.draining,
      desired: Phase.closed,
      ordering: .acquiringAndReleasing
    ).exchanged
    if closed { drained.open() }
  }
}
