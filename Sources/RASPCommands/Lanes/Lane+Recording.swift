import RASPSupport
import Streams

extension Lane {
  /// The event has its identity before it is delivered. Its cause is its execution, whatever the thread is delivering.
  @inlinable
  @inline(never)
  func submitCarried(_ delivery: Delivery) -> Bool {
    let cause = delivery.run?.identity ?? .present
    // The last event of an execution tells how it has ended.
    let identity = hook.note(.event, delivery.event, by: cause, ending: delivery.isLast ? outcome(delivery) : nil)
    return hook.deliver(as: identity) { queue.send(delivery) }
  }

  @usableFromInline
  func outcome(_ delivery: Delivery) -> Occurrence.Outcome? {
    switch delivery.event {
    case .data: .handled
    case .error(let error): .failed(error)
    default: nil
    }
  }
}
