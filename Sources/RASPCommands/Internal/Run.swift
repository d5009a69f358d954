import Streams
import Synchronization

/// One execution, from its command to its last event.
///
/// The first to end it, its handler or a caller that cancels, publishes the last event; the result of the other is
/// dropped.
///
/// Safe to share: `phase` and `isUndeliverable` are atomic, and `phase` changes once; `hasEnded` belongs to the lane's
/// queue; the rest does not change.
@usableFromInline
final class Run<CommandType: Command>: Sendable {
  /// Values of `phase`.
  @usableFromInline static var open: UInt8 { 0 }
  @usableFromInline static var over: UInt8 { 1 }
  @usableFromInline static var cancelled: UInt8 { 2 }

  @usableFromInline let core: EngineCore
  @usableFromInline let lane: Lane<CommandType>
  @usableFromInline let pipeline: Pipeline
  @usableFromInline let ownReaction: OwnReaction<CommandType>?
  @usableFromInline let execution: Execution<CommandType.Output>
  @usableFromInline let phase = Atomic<UInt8>(0)
  @usableFromInline let hasEnded = QueueIsolated(false)
  /// Whether the last attempt found no handler for the command. The error alone does not tell: a handler that executes the
  /// command on another engine may hear the same from there.
  @usableFromInline let isUndeliverable = Atomic<Bool>(false)

  @inlinable
  init(
    core: EngineCore,
    lane: Lane<CommandType>,
    pipeline: Pipeline,
    reaction: Reaction<CommandType.Output>?
  ) {
    self.core = core
    self.lane = lane
    self.pipeline = pipeline
    ownReaction = reaction.map { OwnReaction(after: lane.lastOrder.load(ordering: .acquiring), $0) }
    execution = Execution(of: CommandType.self)
  }

  @inlinable
  var isOpen: Bool { phase.load(ordering: .acquiring) == Self.open }

  @inlinable
  var isCancelled: Bool { phase.load(ordering: .acquiring) == Self.cancelled }

  // MARK: Publishing

  /// Publishes an event of the handler.
  @inlinable
  func publish(_ event: CommandEvent<CommandType>) -> Publication {
    switch phase.load(ordering: .acquiring) {
    case Self.open:
      return core.publish(event, to: lane, through: pipeline, of: self)
    case Self.over:
      core.errors.report(.publishedTooLate(CommandType.self))
      return .refused
    default:
      return .refused
    }
  }

  /// Returns `true` if an event is still to be delivered. It is called once for each event in the lane. No event is
  /// delivered after the last one, though one thread may publish while another ends the run.
  @inlinable
  func admits(_ delivery: Lane<CommandType>.Delivery, _ access: QueueAccess) -> Bool {
    if delivery.isLast {
      hasEnded[access] = true
      return true
    }
    if isCancelled { return false }
    if hasEnded[access] { core.errors.report(.publishedTooLate(CommandType.self)) }
    return !hasEnded[access]
  }

  // MARK: Ending

  /// Ends the run with the outcome of the handler or of the middleware before it.
  @inlinable
  func finish(_ outcome: CommandOutcome<CommandType.Output>) {
    guard end(as: Self.over) else { return }
    execution.settle(outcome, publishOutcome(outcome))
  }

  @inlinable
  func publishOutcome(_ outcome: CommandOutcome<CommandType.Output>) -> Publication? {
    switch outcome {
    case .handled(let output):
      return core.publish(.data(output), to: lane, through: pipeline, of: self, isLast: true)
    case .stopped:
      return nil
    case .failed(let error):
      return publishFailure(error)
    }
  }

  @usableFromInline
  func publishFailure(_ error: any Error) -> Publication? {
    defer { core.errors.report(error) }
    if isUndeliverable.load(ordering: .acquiring), let error = error as? EngineError,
      error.isUndeliverable(CommandType.self)
    {
      return nil
    }
    return core.publish(.error(error), to: lane, through: pipeline, of: self, isLast: true)
  }

  @inlinable
  func end(as end: UInt8) -> Bool {
    phase.compareExchange(expected: Self.open, desired: end, ordering: .acquiringAndReleasing).exchanged
  }

  /// Makes the two steps of cancelling: the first must be done at once and calls nothing but the task, the second may
  /// call anything.
  func cancellation(of task: Task<Void, Never>) -> ExecutionCancellation {
    ExecutionCancellation {
      guard self.end(as: Self.cancelled) else { return false }
      task.cancel()
      return true
    } complete: {
      let error = CancellationError()
      let publication = self.core.publish(
        .error(error),
        to: self.lane,
        through: self.pipeline,
        of: self,
        isLast: true
      )
      self.execution.settle(.failed(error), publication)
    }
  }
}
