public import Aggregate

extension LoggedAggregator {
  /// Which member each partition is assigned to: now, and whenever that changes.
  ///
  /// ```swift
  /// let shown = sensors.owners.subscribe { owners in show(owners.members.compactMap(\.address)) }
  /// ```
  ///
  /// It is what the log knows: a member that was just assigned a partition may still be taking it over, and one whose
  /// process was killed is there until its lease is over.
  public var owners: Selection<LogOwners> { table.select(\.owners) }

  /// The member that owns the row of a key, with its address; `nil` if there is none now. The row need not be there.
  ///
  /// - Complexity: O(1).
  public func owner(of key: Key) -> LogOwner? { table.snapshot.owners.owner(of: key) }
}
