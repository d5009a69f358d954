import Streams

/// What the queue of an aggregator protects, or that of a shard of a keyed one: it folds events, and has subscribers.
@usableFromInline
package protocol FoldingShell: ~Copyable, DeliveryShell {
  associatedtype State: AggregateState

  var reports: Reports<State> { get }
  var sources: SourceList { get }
  var tree: SelectionTree { get set }

  /// Looks whether there are subscribers to streams: an event without them goes the short way.
  mutating func noteStreams()

  /// Folds an event whose sender learns of a refusal.
  mutating func submit(_ incoming: Value, _ access: QueueAccess) throws(State.Rejection)
}

extension FoldingShell where Self: ~Copyable {
  /// Folds an event that was submitted, unless all is over.
  @inlinable
  mutating func outcome(of incoming: Value, _ access: QueueAccess) -> Receipt<State.Rejection>.Outcome {
    guard !tree.hasEnded else { return .decided(.finished) }
    do throws(State.Rejection) {
      try submit(incoming, access)
      return .decided(.folded)
    } catch {
      return .refused(error)
    }
  }
}

extension DeliveryQueue where Shell: FoldingShell, Shell: ~Copyable {
  /// Folds an event if the queue is idle; otherwise the event waits in line.
  ///
  /// - Returns: the outcome, or the receipt that will have it.
  @inlinable
  @inline(__always)
  package func submit(
    _ incoming: @autoclosure () -> Shell.Value
  ) -> (now: Receipt<Shell.State.Rejection>.Outcome?, later: Receipt<Shell.State.Rejection>?) {
    var outcome: Receipt<Shell.State.Rejection>.Outcome?
    var receipt: Receipt<Shell.State.Rejection>?
    run { shell, access in
      outcome = shell.outcome(of: incoming(), access)
    } orLater: {
      let (made, incoming) = (Receipt<Shell.State.Rejection>(), incoming())
      receipt = made
      return { shell, access in made.settle(shell.outcome(of: incoming, access)) }
    }
    return (outcome, receipt)
  }

  /// Subscribes an observer.
  ///
  /// Inlinable, so that what is called for each event is specialised where the state is known.
  ///
  /// - Parameters:
  ///   - join: returns the group of the observer.
  ///   - leave: is done when it has left the group, without delivering anything. It returns what is to be released.
  ///   - first: sends a newcomer what it gets at once.
  @inlinable
  package func attach<Element: Sendable>(
    _ observer: Observer<Element, Never>,
    to join: @escaping @Sendable (inout Shell, QueueAccess) -> StreamGroup<Element>,
    leave: @escaping @Sendable (inout Shell, QueueAccess) -> (any Sendable)? = { _, _ in nil },
    first: @escaping @Sendable (inout Shell, QueueAccess) -> Void = { _, _ in }
  ) {
    run { shell, access in
      if shell.tree.hasEnded {
        first(&shell, access)
        return observer.end(.finished)
      }
      guard observer.lifetime.isActive else { return }
      let group = join(&shell, access)
      shell.tree.add(observer, to: group, access)
      shell.noteStreams()
      observer.lifetime.onTermination {
        self.runWithoutDelivering { shell, access -> Any? in
          let removed = shell.tree.takeOut(observer, token: observer.token, from: group, access) ? observer : nil
          let garbage: [(any Sendable)?] = [removed, leave(&shell, access)]
          shell.noteStreams()
          return garbage
        }
      }
      first(&shell, access)
    }
  }

  /// Ends all behind what was accepted: cancels the sources, and finishes the subscribers.
  ///
  /// - Parameters:
  ///   - isDropping: whether the events that wait are dropped instead of folded.
  ///   - isReleased: whether the aggregator is being released.
  ///   - done: is called when the subscribers have been finished.
  package func finish(
    droppingPending isDropping: Bool,
    isReleased: Bool,
    _ done: @escaping @Sendable () -> Void
  ) -> Bool {
    close(droppingPending: isDropping) { shell, access in
      #if DEBUG
        if isReleased { shell.reports.hubs.noteRelease(shell.tree.countOfKeptSubscribers(access)) }
      #endif
      shell.sources.finish()
      shell.tree.finish(access)
      done()
    }
  }

  /// Reports after the present delivery: the mistake may have been made inside `apply`, where a report that reads or
  /// sends would be the next mistake.
  @usableFromInline
  package func report(_ diagnostic: AggregatorDiagnostic) {
    run { shell, _ in shell.reports.hubs.diagnose(diagnostic) }
  }
}
