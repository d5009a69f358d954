extension ObservableConvertible {
  /// Sends some values first, to each subscriber, then the values of this stream.
  ///
  ///     source  -b-c|
  ///     result  ab-c|     prepend("a")
  ///
  /// - Ordering: the values are sent before this stream is subscribed to, and before `subscribe` returns.
  /// - Complexity: O(values) for each subscription; nothing per value after that.
  public func prepend(_ values: Element...) -> Observable<Element, Failure> {
    prepend(values)
  }

  /// Sends the elements of a sequence first, to each subscriber, then the values of this stream.
  ///
  ///     source  -c-d|
  ///     result  [ab]c-d|   prepend(["a", "b"])
  ///
  /// - Ordering: the elements are sent before this stream is subscribed to, and before `subscribe` returns.
  /// - Complexity: O(elements) for each subscription; nothing per value after that.
  public func prepend(_ values: some Sequence<Element> & Sendable) -> Observable<Element, Failure> {
    let attach = observable.attach
    return Observable<Element, Failure>(attach: { observer in
      for value in values {
        guard observer.lifetime.isActive else { return }
        observer.send(value)
      }
      if observer.lifetime.isActive { attach(observer) }
    })
  }
}
