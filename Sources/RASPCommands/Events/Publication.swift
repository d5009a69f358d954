/// The result of publishing an event.
public enum Publication: Sendable {
  /// The event passed the middleware and is delivered to the reactions. It has been delivered when `publish` returns,
  /// unless another event of this type of command was being delivered. Then the thread that delivers takes this one
  /// afterwards.
  case published

  /// A middleware stopped the event. No reaction gets it.
  case stopped

  /// A middleware failed. Its error was published in place of the event.
  case failed(any Error)

  /// The event came too late: the handler had returned, the execution was cancelled, or the engine was invalidated.
  case refused
}
