import Streams
import Synchronization

/// The sources of one aggregator, in the order in which they came.
///
/// An event that waits in the line carries the identity of its source and no reference: counting references would move
/// a cache line between the threads of all sources at every event. What a removed source has sent does not count, so
/// the identities of removed sources are kept until nothing of them can be in the line any more; see ``Feed``, which
/// tells when.
///
/// Safe to share: everything is behind the lock or atomic, and memberships are ended after unlocking.
@usableFromInline
package final class SourceList: Sendable {
  private struct Member: Sendable {
    let lifetime: Lifetime
    /// Is `true` if nothing of the source waits, and nothing can come.
    var isSilent = false
  }

  private struct State: Sendable {
    /// `nil` once the aggregator has finished.
    var members: [SourceID: Member]? = [:]
    /// Those of which something may wait.
    var removed: Set<SourceID> = []
  }

  private let state = Lock(State())
  /// Is `true` while there are removed sources. Written under the lock.
  @usableFromInline let hasRemoved = Atomic<Bool>(false)

  @usableFromInline
  package init() {}

  /// Registers a source; if the aggregator has finished, ends it instead.
  @usableFromInline
  func add(_ id: SourceID, _ membership: Lifetime) {
    let isOpen = state.withLock { state in
      state.members?[id] = Member(lifetime: membership)
      return state.members != nil
    }
    if !isOpen { membership.terminate() }
  }

  /// Puts sources in the place of all others, which are removed.
  @usableFromInline
  func replace(with sources: [(id: SourceID, membership: Lifetime)]) {
    let members = Dictionary(uniqueKeysWithValues: sources.map { ($0.id, Member(lifetime: $0.membership)) })
    let ended = state.withLock { state in
      guard let current = state.members else { return members }
      state.members = members
      for (id, member) in current where !member.isSilent { noteRemoved(id, in: &state) }
      return current
    }
    Self.terminate(ended)
  }

  /// Removes one source: what it has sent and what is not folded yet does not count any more.
  ///
  /// - Returns: `false` if there is no such source.
  package func remove(_ id: SourceID) -> Bool {
    let member = state.withLock { state in
      let member = state.members?.removeValue(forKey: id)
      if member?.isSilent == false { noteRemoved(id, in: &state) }
      return member
    }
    return member?.lifetime.terminate() ?? false
  }

  /// Forgets a source that has ended by itself: what it has sent counts. Nothing of it waits.
  ///
  /// - Returns: `false` if there is no such source, because it has been removed.
  func sourceEnded(_ id: SourceID) -> Bool {
    let member = state.withLock { state in
      forgetRemoved(id, in: &state)
      return state.members?.removeValue(forKey: id)
    }
    return member?.lifetime.terminate() ?? false
  }

  /// Returns whether a source is among those that feed the aggregator, or has been removed while something of it
  /// waited.
  func mayBeKnown(_ id: SourceID) -> Bool {
    state.withLock { $0.members?[id] != nil || $0.removed.contains(id) }
  }

  /// Notes that nothing of a source waits, and that nothing can come: the source has released its subscriber.
  func fallsSilent(_ id: SourceID) {
    state.withLock { state in
      state.members?[id]?.isSilent = true
      forgetRemoved(id, in: &state)
    }
  }

  /// Ends all sources, and all that are added later.
  func finish() {
    Self.terminate(state.withLock { $0.members.take() } ?? [:])
  }

  /// Ends sources in the order in which they were made.
  private static func terminate(_ members: [SourceID: Member]) {
    if members.isEmpty { return }
    for (_, member) in members.sorted(by: { $0.key.number < $1.key.number }) { member.lifetime.terminate() }
  }

  // MARK: Events that wait

  /// Returns whether the events of a source do not count any more.
  @inlinable
  @inline(__always)
  package func isRemoved(_ id: SourceID) -> Bool {
    hasRemoved.load(ordering: .acquiring) && isAmongRemoved(id)
  }

  @usableFromInline
  func isAmongRemoved(_ id: SourceID) -> Bool {
    state.withLock { $0.removed.contains(id) }
  }

  private func noteRemoved(_ id: SourceID, in state: inout State) {
    state.removed.insert(id)
    hasRemoved.store(true, ordering: .releasing)
  }

  private func forgetRemoved(_ id: SourceID, in state: inout State) {
    if state.removed.remove(id) != nil { hasRemoved.store(!state.removed.isEmpty, ordering: .releasing) }
  }
}
