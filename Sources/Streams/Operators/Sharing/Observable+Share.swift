extension Observable {
  /// One subscription to this stream, shared by everyone who subscribes to the result.
  ///
  /// The first subscriber connects, the last one to leave disconnects, and the next one connects anew.
  ///
  ///     source  a-b-c|
  ///     result  a-b-c|    share(), to the one who comes first
  ///
  /// - Parameter count: how many of the newest values to hand to each newcomer. Only values of the present connection
  ///   are: after a reconnection there are none to replay at first.
  /// - Completion: once the stream has ended it is not subscribed to again. Latecomers get what is replayed and then the
  ///   end, or the failure.
  /// - Ordering: all subscribers see one sequence and are called in the order of subscription.
  /// - Concurrency: subscribing from many threads at once connects once.
  public func share(replaying count: Int = 0) -> Observable {
    let node = ShareShell(of: self, replaying: count)
    return Observable(attach: { node.attach($0) })
  }
}
