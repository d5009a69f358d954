extension Observable {
  /// Shares one subscription to this stream between all subscribers of the result.
  ///
  /// The first subscriber connects, the last one to leave disconnects, and the next one connects anew.
  ///
  ///     source  a-b-c|
  ///     result  a-b-c|    share(), to the one who comes first
  ///
  /// - Parameter count: the number of newest values to hand to each newcomer. Only values of the present connection
  ///   count: after a reconnection there are none to replay at first.
  /// - Completion: once the stream has ended it is not subscribed to again. A later subscriber gets what is replayed
  ///   and then the end, or the failure.
  /// - Ordering: all subscribers see one sequence and are called in the order of subscription.
  /// - Concurrency: several threads may subscribe at once; the source is connected once.
  /// - Complexity: O(subscribers) per value. Subscribing is O(1) amortised, plus the values that are replayed;
  ///   cancelling is O(log subscribers) amortised.
  public func share(replaying count: Int = 0) -> Observable {
    let node = ShareShell(of: self, replaying: count)
    return Observable(attach: { node.attach($0) })
  }
}
