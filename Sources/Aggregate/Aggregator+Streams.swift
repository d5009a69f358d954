public import Streams

extension Aggregator {
  /// Every snapshot: the present one first, then one per event that was folded, also if it is equal to the one before.
  ///
  /// When nothing is being delivered, a newcomer gets the present snapshot before `subscribe` returns. A subscriber that
  /// keeps a snapshot makes the next event copy the collections it changes.
  public var states: Observable<State, Never> {
    let core = core
    return Observable(attach: { observer in
      core.listen(observer) { shell in
        shell.stateGroup()
      } first: {
        core.snapshot()
      }
    })
  }

  /// Every event that came in, in the order of folding, also those that the state refused. A newcomer gets what comes
  /// from then on. Sources are not subscribed to again for this.
  ///
  /// While a subscriber runs, ``snapshot`` is the state with the event folded in.
  public var events: Observable<State.Event, Never> {
    let core = core
    return Observable(attach: { observer in
      core.listen(observer) { shell in
        shell.eventGroup()
      } first: {
        nil
      }
    })
  }

  /// The events that the state refused, and why; see ``AggregateState/apply(_:)``.
  public var rejections: Observable<RejectedEvent<State>, Never> { core.reports.rejections }

  /// Mistakes that a debug build noticed in the use of this aggregator. Nothing in a release build.
  public var diagnostics: Observable<AggregatorDiagnostic, Never> { core.reports.diagnostics }
}
