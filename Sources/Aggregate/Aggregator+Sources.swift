public import Streams

extension Aggregator {
  /// Adds a source while running.
  ///
  /// - Returns: the source's name, for ``remove(_:)`` and in ``sourceFailures``. An aggregator that has finished
  ///   subscribes to nothing.
  @inlinable
  @discardableResult
  public func add<Failure: Error>(_ source: Observable<State.Event, Failure>) -> SourceID {
    let newcomer = AnySource(source)
    core.add([newcomer])
    return newcomer.id
  }

  /// Lets go of a source. No event of it is folded any more once this has returned, but for one that is being folded;
  /// events of it that wait in line are dropped.
  ///
  /// - Returns: `false` if there is no such source: never added here, removed, finished or failed.
  @discardableResult
  public func remove(_ source: SourceID) -> Bool {
    core.sources.remove(source)
  }

  /// Swaps what feeds the aggregator: lets go of all sources and subscribes to these. The state stays as it is.
  ///
  /// Of several threads that replace at once, the sources of the last one remain.
  @inlinable
  public func replace<each Failure: Error>(sources: repeat Observable<State.Event, each Failure>) {
    var newcomers: [AnySource<State.Event>] = []
    repeat newcomers.append(AnySource(each sources))
    core.replaceSources(with: newcomers)
  }

  /// The sources that failed, as they fail. Each is detached already. A newcomer gets the newest 16 failures first, since
  /// a source may fail before anybody can listen.
  public var sourceFailures: Observable<SourceFailure, Never> { core.reports.sourceFailures }
}
