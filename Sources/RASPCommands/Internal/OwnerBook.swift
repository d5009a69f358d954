import Streams

/// Which reactions belong to which owner, so that one owner's can be disposed together.
///
/// Owners are not held. A new object may come to stand where an owner was that is gone; it then finds reactions here that
/// are never called again, which is harmless.
final class OwnerBook: Sendable {
  private typealias Page = OrderedDictionary<ObjectIdentifier, Lifetime>

  private let pages = Lock<[ObjectIdentifier: Page]>([:])

  /// Notes a reaction down, until its lifetime ends.
  func insert(_ lifetime: Lifetime, of owner: ObjectIdentifier) {
    let key = ObjectIdentifier(lifetime)
    pages.withLock { $0[owner, default: Page()].add(lifetime, for: key) }
    lifetime.onTermination { self.remove(key, of: owner) }
  }

  /// In the order in which they were registered.
  func disposeAll(of owner: ObjectIdentifier) {
    let page = pages.withLock { $0.removeValue(forKey: owner) }
    for lifetime in page?.values ?? [] { lifetime.terminate() }
  }

  /// How many reactions are noted down.
  var count: Int { pages.withLock { $0.values.reduce(0) { $0 + $1.count } } }

  private func remove(_ key: ObjectIdentifier, of owner: ObjectIdentifier) {
    let removed = pages.withLock { pages in
      let removed = pages[owner]?.remove(key)
      if pages[owner]?.isEmpty == true { pages[owner] = nil }
      return removed
    }
    _ = consume removed
  }
}
