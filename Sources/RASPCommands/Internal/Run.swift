import Streams
import Synchronization

/// One execution, from the inside: what it needs to get from the command to its last event.
///
/// Whoever ends it first, its handler or somebody who cancels, publishes the last event; what the other has to say is
/// dropped.
///
/// Safe to share: `phase` and `isUndeliverable` are atomic, and `phase` changes once, `hasEnded` belongs to the channel's
/// lane, the rest does not change.
@usableFromInline
final class Run<Subject: Command>: Sendable {
  /// Values of `phase`.
  @usableFromInline static var open: UInt8 { 0 }
  @usableFromInline static var over: UInt8 { 1 }
  @usableFromInline static var cancelled: UInt8 { 2 }

  @usableFromInline let core: EngineCore
  @usableFromInline let channel: Channel<Subject>
  @usableFromInline let pipeline: Pipeline
  @usableFromInline let ownReaction: OwnReaction<Subject>?
  @usableFromInline let execution: Execution<Subject.Output>
  @usableFromInline let phase = Atomic<UInt8>(0)
  @usableFromInline let hasEnded = Confined(false)
  /// Whether the last attempt found no handler for the command. The error alone does not tell: a handler that executes the
  /// command on another engine may hear the same from there.
  @usableFromInline let isUndeliverable = Atomic<Bool>(false)

  @inlinable
  init(
    core: EngineCore,
    channel: Channel<Subject>,
    pipeline: Pipeline,
    reaction: Reaction<Subject.Output>?
  ) {
    self.core = core
    self.channel = channel
    self.pipeline = pipeline
    ownReaction = reaction.map { OwnReaction(after: channel.lastOrder.load(ordering: .acquiring), $0) }
    execution = Execution(of: Subject.self)
  }

  @inlinable
  var isOpen: Bool { phase.load(ordering: .acquiring) == Self.open }

  @inlinable
  var isCancelled: Bool { phase.load(ordering: .acquiring) == Self.cancelled }

  // MARK: Publishing

  /// An event that the handler publishes on its way.
  @inlinable
  func publish(_ event: CommandEvent<Subject>) -> Publication {
    switch phase.load(ordering: .acquiring) {
    case Self.open:
      return core.publish(event, to: channel, through: pipeline, of: self)
    case Self.over:
      core.errors.report(.publishedTooLate(Subject.self))
      return .refused
    default:
      return .refused
    }
  }

  /// Whether an event is still to be delivered; asked in the lane, once for each. Nothing passes behind the last event, as
  /// it might when one thread publishes while another ends the run.
  @inlinable
  func admits(_ delivery: Channel<Subject>.Delivery) -> Bool {
    if delivery.isLast {
      hasEnded.value = true
      return true
    }
    if isCancelled { return false }
    if hasEnded.value { core.errors.report(.publishedTooLate(Subject.self)) }
    return !hasEnded.value
  }

  // MARK: Ending

  /// The handler, or what stands in front of it, is done.
  @inlinable
  func finish(_ outcome: CommandOutcome<Subject.Output>) {
    guard end(as: Self.over) else { return }
    execution.settle(outcome, publishOutcome(outcome))
  }

  @inlinable
  func publishOutcome(_ outcome: CommandOutcome<Subject.Output>) -> Publication? {
    switch outcome {
    case .handled(let output):
      return core.publish(.data(output), to: channel, through: pipeline, of: self, isLast: true)
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
      error.isUndeliverable(Subject.self)
    {
      return nil
    }
    return core.publish(.error(error), to: channel, through: pipeline, of: self, isLast: true)
  }

  @inlinable
  func end(as end: UInt8) -> Bool {
    phase.compareExchange(expected: Self.open, desired: end, ordering: .acquiringAndReleasing).exchanged
  }

  /// How to cancel this: first what must be done at once and calls nobody but the task, then what may call anybody.
  func cancellation(of task: Task<Void, Never>) -> ExecutionCancellation {
    ExecutionCancellation {
      guard self.end(as: Self.cancelled) else { return false }
      task.cancel()
      return true
    } complete: {
      let error = CancellationError()
      let publication = self.core.publish(
        .error(error),
        to: self.channel,
        through: self.pipeline,
        of: self,
        isLast: true
      )
      self.execution.settle(.failed(error), publication)
    }
  }
}
