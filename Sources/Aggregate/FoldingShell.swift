import Streams

/// What the queue of an aggregator protects, or that of a shard of a keyed one: it folds events, and has subscribers.
@usableFromInline
package protocol FoldingShell: ~Copyable, DeliveryShell {
  associatedtype State: AggregateState

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
  package func submit(_ incoming: Shell.Value) -> Receipt<Shell.State.Rejection>.Answer {
    var answer: Receipt<Shell.State.Rejection>.Answer = (nil, nil)
    run { shell, access in
      answer.now = shell.outcome(of: incoming, access)
    } orLater: {
      let receipt = Receipt<Shell.State.Rejection>()
      answer.later = receipt
      return { shell, access in receipt.settle(shell.outcome(of: incoming, access)) }
    }
    return answer
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
          let isRemoved = shell.tree.takeOut(observer, token: observer.token, from: group, access)
          let garbage: (AnyObject?, (any Sendable)?) = (isRemoved ? observer : nil, leave(&shell, access))
          shell.noteStreams()
          return garbage
        }
      }
      first(&shell, access)
    }
  }
}

extension SelectionTree {
  /// Cancels the sources of the aggregator, and tells all subscribers that nothing follows.
  ///
  /// - Parameters:
  ///   - isReleased: whether the aggregator is being released.
  ///   - hubs: are told of subscribers that are kept longer than it.
  package mutating func finish(_ sources: SourceList, isReleased: Bool, _ hubs: ReportHubs, _ access: QueueAccess) {
    #if DEBUG
      if isReleased { hubs.noteRelease(countOfKeptSubscribers(access)) }
    #endif
    sources.finish()
    finish(access)
  }
}
