public import Streams

extension Aggregator {
  /// Sends every snapshot: the present one first, then one per event that was folded, also if it is equal to the one
  /// before.
  ///
  /// - Ordering: when nothing is being delivered, a newcomer gets the present snapshot before `subscribe` returns.
  ///   Subscribers are called in the order of subscription, together with those of events and selections.
  /// - Complexity: O(1) per event and subscriber. A subscriber that keeps a snapshot makes the next event copy the
  ///   collections it changes. Cancelling is O(log subscribers) amortised.
  @inlinable
  public var states: Observable<State, Never> {
    let core = core
    return Observable(attach: { observer in
      let each = observer.upstream(step: { (step: Step<State>, next) in
        guard let state = step.state else { return }
        next.withObserver { (observer: Observer<State, Never>) in observer.send(state.pointee) }
      })
      core.attach(each) { observer.send($0.pointee) }
    })
  }

  /// Sends every event that came in, in the order of folding, also those that the state refused. A newcomer gets the
  /// events that come from then on. The sources are not subscribed to again for this.
  ///
  /// - Ordering: while a subscriber runs, ``snapshot`` is the state with the event folded in.
  /// - Complexity: O(1) per event and subscriber. Cancelling is O(log subscribers) amortised.
  @inlinable
  public var events: Observable<State.Event, Never> {
    let core = core
    return Observable(attach: { observer in
      core.attach(
        observer.upstream(step: { (step: Step<State>, next) in
          next.withObserver { (observer: Observer<State.Event, Never>) in observer.send(step.event.pointee) }
        })
      )
    })
  }

  /// The events that the state refused, and the reasons; see ``AggregateState/apply(_:)``.
  ///
  /// - Ordering: a refusal is reported behind the round of the event.
  /// - Complexity: O(1) per refusal and subscriber.
  public var rejections: Observable<RejectedEvent<State>, Never> { core.reports.rejections }

  /// The mistakes that a debug build noticed in the use of this aggregator. A release build sends nothing.
  ///
  /// - Complexity: O(1) per mistake and subscriber.
  public var diagnostics: Observable<AggregatorDiagnostic, Never> { core.reports.diagnostics }
}
