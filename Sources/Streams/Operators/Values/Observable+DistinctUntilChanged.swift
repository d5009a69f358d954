extension ObservableConvertible {
  /// Drops each value that equals the one sent before it.
  ///
  ///     source  aab-ba|
  ///     result  a-b--a|   distinctUntilChanged()
  ///
  /// The comparison is plain `==`: a `Double` that stays NaN is sent every time.
  ///
  /// - Complexity: O(1) per value, beside the cost of the comparison.
  @inlinable
  public func distinctUntilChanged() -> Observable<Element, Failure> where Element: Equatable {
    distinctUntilChanged(by: { $0 == $1 })
  }

  /// Drops each value that is the same as the one *sent* last, as `areEquivalent` sees it.
  ///
  /// Because the comparison is with the last value sent, not the last one received, a slow drift below a tolerance is
  /// noticed in the end:
  ///
  ///     source  123456|
  ///     result  1--4--|   distinctUntilChanged { abs($0 - $1) < 3 }
  ///
  /// - Parameter areEquivalent: gets the old and the new value; not called for the first.
  /// - Ordering: as upstream.
  /// - Errors: if `areEquivalent` throws, the stream ends with that error.
  /// - Complexity: O(1) per value, beside the cost of the comparison. The last value is kept until the subscription is
  ///   over.
  @inlinable
  public func distinctUntilChanged(
    by areEquivalent: @escaping @Sendable (_ old: Element, _ new: Element) throws(Failure) -> Bool
  ) -> Observable<Element, Failure> {
    distinctUntilChanged(key: { $0 }, by: areEquivalent)
  }

  /// Drops each value whose key equals that of the value sent last.
  ///
  ///     source  aAb-Bc|
  ///     result  a-b--c|   distinctUntilChanged(by: \.lowercase)
  ///
  /// Only the key of the last value is kept, not the value.
  ///
  /// - Complexity: O(1) per value, beside the cost of reading and comparing the key.
  @inlinable
  public func distinctUntilChanged<Key: Equatable & Sendable>(
    by key: any KeyPath<Element, Key> & Sendable
  ) -> Observable<Element, Failure> {
    distinctUntilChanged(key: { $0[keyPath: key] }, by: { $0 == $1 })
  }

  @inlinable
  @inline(__always)
  func distinctUntilChanged<Key: Sendable>(
    key: @escaping @Sendable (Element) throws(Failure) -> Key,
    by areEquivalent: @escaping @Sendable (Key, Key) throws(Failure) -> Bool
  ) -> Observable<Element, Failure> {
    observable.handleValues(with: { Key?.none }) { last, value, observer throws(Failure) in
      let key = try key(value)
      if let last, try areEquivalent(last, key) { return }
      last = key
      observer.send(value)
    }
  }
}
