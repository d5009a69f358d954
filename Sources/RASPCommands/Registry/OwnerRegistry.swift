import Streams

/// The reactions of each owner, so that those of one owner can be disposed together.
///
/// The registry does not hold owners. An object may get the identity of an owner that is gone. It then finds that
/// owner's reactions here, which does no harm: they are never called again.
///
/// Safe to share: the table is behind its lock. Lifetimes are ended and released after unlocking.
final class OwnerRegistry: Sendable {
  private typealias Reactions = OrderedDictionary<ObjectIdentifier, Lifetime>

  private let reactions = Lock<[ObjectIdentifier: Reactions]>([:])

  /// Registers a reaction until its lifetime ends.
  func insert(_ lifetime: Lifetime, of owner: ObjectIdentifier) {
    let key = ObjectIdentifier(lifetime)
    reactions.withLock { $0[owner, default: Reactions()].add(lifetime, for: key) }
    lifetime.onTermination { self.remove(key, of: owner) }
  }

  /// Ends the reactions of an owner, in the order of their registration.
  func disposeAll(of owner: ObjectIdentifier) {
    let disposed = reactions.withLock { $0.removeValue(forKey: owner) }
    for lifetime in disposed?.values ?? [] { lifetime.terminate() }
  }

  /// The number of registered reactions.
  var count: Int { reactions.withLock { $0.values.reduce(0) { $0 + $1.count } } }

  private func remove(_ key: ObjectIdentifier, of owner: ObjectIdentifier) {
    let removed = reactions.withLock { reactions in
      let removed = reactions[owner]?.remove(key)
      if reactions[owner]?.isEmpty == true { reactions[owner] = nil }
      return removed
    }
    _ = consume removed
  }
}
