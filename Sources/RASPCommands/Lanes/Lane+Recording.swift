import RASPSupport
import Streams

extension Lane {
  /// The event has its identity before it is delivered. Its cause is its execution, whatever the thread is delivering.
  @inlinable
  @inline(never)
  func submitCarried(_ delivery: Delivery) -> Bool {
    let cause = delivery.run?.identity ?? .present
    // The last event of an execution tells how it has ended.
    let identity =
      if case .data(let output) = delivery.event {
        recorders.note(.event, Published<CommandType>(output), by: cause, ending: delivery.isLast ? .handled : nil)
      } else {
        noteWithoutData(delivery, by: cause)
      }
    return recorders.deliver(as: identity) { queue.send(delivery) }
  }

  @usableFromInline
  func noteWithoutData(_ delivery: Delivery, by cause: CarriedCause) -> CarriedCause {
    var outcome: Occurrence.Outcome?
    if delivery.isLast, case .error(let error) = delivery.event { outcome = .failed(error) }
    return recorders.note(.event, delivery.event, by: cause, ending: outcome)
  }
}

/// The data of an event on a tape. Without the error that an event could be, most data need not be released.
@usableFromInline
struct Published<CommandType: Command>: OccurrenceSubject {
  @usableFromInline let output: CommandType.Output

  @inlinable
  init(_ output: CommandType.Output) {
    self.output = output
  }

  @usableFromInline var subject: any Sendable { CommandEvent<CommandType>.data(output) }
}
