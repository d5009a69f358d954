import Streams
import Synchronization

/// The sources of one aggregator, in the order in which they came.
///
/// An event that waits in the line carries the identity of its source and no reference: counting references would move a
/// cache line between the threads of all sources at every event. What a removed source has sent does not count, so the
/// identities of removed sources are kept until nothing of them can be in the line any more; see ``Feed``, which tells when.
///
/// Safe to share: everything is behind locks or atomic, and memberships are ended after unlocking.
@usableFromInline
final class SourceList: Sendable {
  /// `nil` once the aggregator has finished.
  private let memberships = Lock<OrderedDictionary<SourceID, Lifetime>?>(OrderedDictionary())
  private let removed = Lock<Set<SourceID>>([])
  /// Is `true` while `removed` is not empty.
  @usableFromInline let hasRemoved = Atomic<Bool>(false)

  @usableFromInline
  init() {}

  /// Registers a source; if the aggregator has finished, ends it instead.
  @usableFromInline
  func add(_ id: SourceID, _ membership: Lifetime) {
    let isOpen = memberships.withLock { memberships in
      memberships?.add(membership, for: id)
      return memberships != nil
    }
    if !isOpen { membership.terminate() }
  }

  /// Puts sources in the place of all others, which are removed.
  @usableFromInline
  func replace(with sources: [(id: SourceID, membership: Lifetime)]) {
    var replacement = OrderedDictionary<SourceID, Lifetime>()
    for source in sources { replacement.add(source.membership, for: source.id) }
    let (isOpen, ended) = memberships.withLock { [replacement] memberships in
      guard let current = memberships else { return (false, replacement) }
      memberships = replacement
      return (true, current)
    }
    if isOpen { noteRemoved(ended.keys) }
    for membership in ended.values { membership.terminate() }
  }

  /// Removes one source: what it has sent and what is not folded yet does not count any more.
  ///
  /// - Returns: `false` if there is no such source.
  func remove(_ id: SourceID) -> Bool {
    guard let membership = memberships.withLock({ $0?.remove(id) }) else { return false }
    noteRemoved([id])
    return membership.terminate()
  }

  /// Forgets a source that has ended by itself: what it has sent counts.
  ///
  /// - Returns: `false` if there is no such source.
  func sourceEnded(_ id: SourceID) -> Bool {
    memberships.withLock { $0?.remove(id) }?.terminate() ?? false
  }

  /// Ends all sources, and all that are added later.
  func finish() {
    guard let ended = memberships.exchange(with: nil), !ended.isEmpty else { return }
    for membership in ended.values { membership.terminate() }
  }

  // MARK: Events that wait

  /// Returns whether the events of a source do not count any more.
  @inlinable
  @inline(__always)
  func isRemoved(_ id: SourceID) -> Bool {
    hasRemoved.load(ordering: .acquiring) && isAmongRemoved(id)
  }

  @usableFromInline
  func isAmongRemoved(_ id: SourceID) -> Bool {
    removed.withLock { $0.contains(id) }
  }

  private func noteRemoved(_ ids: some Sequence<SourceID> & Sendable) {
    removed.withLock { removed in
      removed.formUnion(ids)
      hasRemoved.store(!removed.isEmpty, ordering: .releasing)
    }
  }

  /// Forgets the identity of a removed source. Nothing of it may be in the line, and nothing may come.
  func forgetRemoved(_ id: SourceID) {
    removed.withLock { removed in
      removed.remove(id)
      hasRemoved.store(!removed.isEmpty, ordering: .releasing)
    }
  }
}
