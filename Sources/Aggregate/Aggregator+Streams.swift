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

  /// Sends the snapshot at a fixed rate: the present one first, then one per period, if an event was folded since the
  /// one before. It is the stream for a display.
  ///
  ///     let token = station.sample(every: .milliseconds(250)).subscribe { show($0) }
  ///
  /// The snapshot is read at its moment, and not kept in between. So the events cost what they cost without it. A
  /// sample of ``states`` keeps the newest snapshot, and makes each event copy the collections that it changes.
  ///
  /// - Parameters:
  ///   - period: the time between two snapshots; see `interval(_:on:)` of `Observable` for one that is not positive.
  ///   - scheduler: the source of time.
  /// - Ordering: a read does not wait in the line, so it does not show events that wait.
  /// - Completion: the stream finishes one period after the aggregator at the latest, with the last snapshot.
  /// - Complexity: O(1) per period; none per event. A subscriber that keeps a snapshot makes the next event copy the
  ///   collections it changes.
  public func sample(every period: Duration, on scheduler: some Scheduler = .continuous) -> Observable<State, Never> {
    let core = core
    return .sampling(every: period, on: scheduler, until: { core.queue.isOver }) { (sent: inout Int?) in
      let (snapshot, count) = core.countedSnapshot()
      if count == sent { return nil }
      sent = count
      return snapshot
    }
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

  /// The mistakes that a debug build noticed in the use of this aggregator, and what every build reports, see
  /// ``AggregatorDiagnostic``.
  ///
  /// - Complexity: O(1) per mistake and subscriber.
  public var diagnostics: Observable<AggregatorDiagnostic, Never> { core.reports.diagnostics }
}
