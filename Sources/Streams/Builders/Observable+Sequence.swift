extension Observable where Failure == Never {
  /// Makes a stream that sends the elements of a sequence to each subscriber, at once, then finishes.
  ///
  ///     Observable(1...3).subscribe { print($0) }   // 1, 2, 3
  ///
  /// - Ordering: the elements are sent before `subscribe` returns. Cancelling during the delivery stops it at that
  ///   element.
  /// - Complexity: O(elements) for each subscription.
  @inlinable
  public init(_ sequence: some Sequence<Element> & Sendable) {
    self.init(attach: { observer in
      for element in sequence {
        guard observer.lifetime.isActive else { return }
        observer.send(element)
      }
      observer.end(.finished)
    })
  }
}
