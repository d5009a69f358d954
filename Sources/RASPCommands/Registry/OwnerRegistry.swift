import Streams

/// The reactions of each owner, so that those of one owner can be disposed together.
///
/// The registry does not hold owners. An object may get the identity of an owner that is gone. It then finds that
/// owner's reactions here, which does no harm: they are never called again.
///
/// Safe to share: the table is behind its lock. Lifetimes are ended and released after unlocking.
final class OwnerRegistry: Sendable {
  /// The lifetimes of one owner's reactions, by numbers that rise with their registration.
  private typealias Reactions = [Int: Lifetime]

  private struct Owners: Sendable {
    var reactions: [ObjectIdentifier: Reactions] = [:]
    var newest = 0
  }

  private let owners = Lock(Owners())

  /// Registers a reaction until its lifetime ends.
  func insert(_ lifetime: Lifetime, of owner: ObjectIdentifier) {
    let number = owners.withLock { owners in
      owners.newest += 1
      owners.reactions[owner, default: [:]][owners.newest] = lifetime
      return owners.newest
    }
    lifetime.onTermination { self.remove(number, of: owner) }
  }

  /// Ends the reactions of an owner, in the order of their registration.
  func disposeAll(of owner: ObjectIdentifier) {
    let disposed = owners.withLock { $0.reactions.removeValue(forKey: owner) } ?? [:]
    for (_, lifetime) in disposed.sorted(by: { $0.key < $1.key }) { lifetime.terminate() }
  }

  /// The number of registered reactions.
  var count: Int { owners.withLock { $0.reactions.values.reduce(0) { $0 + $1.count } } }

  private func remove(_ number: Int, of owner: ObjectIdentifier) {
    let removed = owners.withLock { owners in
      // The last one goes with the owner's table.
      if owners.reactions[owner]?.count == 1, owners.reactions[owner]?[number] != nil {
        return owners.reactions.removeValue(forKey: owner)?[number]
      }
      return owners.reactions[owner]?.removeValue(forKey: number)
    }
    _ = consume removed
  }
}
