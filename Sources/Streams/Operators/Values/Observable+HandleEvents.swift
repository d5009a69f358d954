extension ObservableConvertible {
  /// Calls closures when something happens, and passes everything on as it is.
  ///
  ///     source  a-b|
  ///     result  a-b|      handleEvents(onValue: { log($0) })
  ///
  /// Each subscription calls them, so a stream with two subscribers calls them twice.
  ///
  /// - Parameters:
  ///   - onSubscribe: is called before this stream is subscribed to.
  ///   - onValue: gets each value, before it is passed on.
  ///   - onEnd: gets the end, before it is passed on.
  ///   - onCancel: is called when the subscription is over without an end of this stream: it was cancelled or released,
  ///     or an operator behind this one has ended the result, as `prefix` does.
  /// - Ordering: after `onSubscribe`, either `onEnd` or `onCancel` is called, once.
  /// - Concurrency: `onValue` and `onEnd` run on the thread that delivers, never two at once, and with no lock held.
  ///   `onCancel` runs on the thread that cancels, perhaps while `onValue` runs on another one.
  /// - Complexity: O(1) per value, beside the cost of the closures.
  @inlinable
  public func handleEvents(
    onSubscribe: (@Sendable () -> Void)? = nil,
    onValue: (@Sendable (Element) -> Void)? = nil,
    onEnd: (@Sendable (StreamEnd<Failure>) -> Void)? = nil,
    onCancel: (@Sendable () -> Void)? = nil
  ) -> Observable<Element, Failure> {
    let attach = observable.attach
    return Observable<Element, Failure>(attach: { observer in
      onSubscribe?()
      let hasEnded = Lock(false)
      if let onCancel {
        observer.lifetime.onTermination {
          if !hasEnded.exchange(with: true) { onCancel() }
        }
      }
      guard observer.lifetime.isActive else { return }
      attach(
        observer.upstream(lifetime: observer.lifetime) { value in
          onValue?(value)
          observer.send(value)
        } onEnd: { (end: StreamEnd<Failure>) in
          if hasEnded.exchange(with: true) { return }
          onEnd?(end)
          observer.end(end)
        }
      )
    })
  }
}
