extension ObservableConvertible {
  /// Sends each value together with the one before it, from the second value on.
  ///
  ///     source  a-b-c|
  ///     result  --B-C|    withPrevious(), where B is a and b, C is b and c
  ///
  /// - Ordering: as upstream.
  /// - Complexity: O(1) per value. The last value is kept until the subscription is over.
  @inlinable
  public func withPrevious() -> Observable<(old: Element, new: Element), Failure> {
    observable.handleValues(with: { Element?.none }) { last, value, observer in
      let previous = last
      last = value
      if let previous { observer.send((old: previous, new: value)) }
    }
  }
}
