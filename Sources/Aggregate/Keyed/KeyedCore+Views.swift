import Streams

extension KeyedCore {
  /// The streams of all shards as one.
  func merged<Element: Sendable>(
    _ stream: (KeyedShard<Key, State>) -> Observable<Element, Never>
  ) -> Observable<Element, Never> {
    if shards.count == 1 { return stream(shards[0]) }
    return .merge(shards.map(stream))
  }

  /// The views of all shards as one stream.
  @usableFromInline
  func merged<Tracker: RowTracker>(
    _ view: (KeyedShard<Key, State>) -> RowView<Tracker>
  ) -> Observable<Tracker.Element, Never> {
    merged { shard in view(shard).observable }
  }

  /// A value that is put together from one part for each shard.
  ///
  /// - Parameters:
  ///   - view: makes the view that sends the part of a shard: now, and when it changes.
  ///   - combine: puts the parts together.
  func query<Tracker: RowTracker>(
    _ view: @escaping @Sendable (KeyedShard<Key, State>) -> RowView<Tracker>,
    combine: @escaping @Sendable ([Tracker.Element]) -> Tracker.Element
  ) -> RowQuery<Tracker.Element> where Tracker.Key == Key, Tracker.State == State {
    let parts = shards.map { view($0).observable }
    let present: @Sendable () -> Tracker.Element = { [shards] in combine(shards.compactMap { view($0).current }) }
    if parts.count == 1 { return RowQuery(parts[0], read: present) }
    let numbered = parts.enumerated().map { index, part in part.map { (index, $0) } }
    let combined = Observable.merge(numbered)
      .scan(into: [Tracker.Element?](repeating: nil, count: parts.count)) { latest, part in
        latest[part.0] = part.1
      }
      // A value needs a part of each shard.
      .compactMap { latest in
        let parts = latest.compactMap { $0 }
        return parts.count == latest.count ? combine(parts) : nil
      }
    return RowQuery(combined, read: present)
  }
}

extension KeyedShard {
  /// The changes of all rows, beginning with an insertion for each row that is there.
  var changes: Observable<RowChange<Key, State>, Never> {
    Observable(attach: { observer in
      self.attach(observer) { shell, _ in
        shell.changeGroup()
      } first: { shell, _ in
        shell.table.pointee.forEach { row in
          if let state = row.pointer.pointee.state { observer.send(.inserted(row.pointer.pointee.key, state)) }
        }
      }
    })
  }

  /// The events that come from now on.
  var events: Observable<State.Event, Never> {
    Observable(attach: { observer in
      self.attach(observer) { shell, _ in shell.eventGroup() }
    })
  }
}
