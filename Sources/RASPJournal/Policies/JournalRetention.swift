/// Which events a journal keeps. What it deletes are whole files, and only events from before a snapshot.
#if hasAttribute(nonexhaustive)
  @nonexhaustive
#endif
public enum JournalRetention: Hashable, Sendable {
  /// All of them: the standard.
  case everything

  /// Those since the older of the two snapshots that are there.
  case sinceSnapshots

  /// At least the newest ones, so many, which may be 0, and those since the older snapshot. ``Journal/state(at:)`` goes
  /// back to that snapshot only, unless all events are there.
  case newest(Int)
}

extension JournalRetention {
  /// The files that are not needed any more, in the order in which they are to be deleted.
  ///
  /// - Parameters:
  ///   - listing: the files that are there. The newest segment is never deleted.
  ///   - newest: the newest event.
  func obsolete(in listing: FolderListing, newest: Int) -> (snapshots: [Int], segments: [Int]) {
    let kept = listing.snapshots.filter { !listing.unusable.contains($0) }.suffix(2)
    guard kept.count == 2, var needed = kept.first else { return ([], []) }
    let snapshots = listing.snapshots.filter { !kept.contains($0) }
    if self == .everything { return (snapshots, []) }
    if case .newest(let count) = self { needed = min(needed, newest - min(newest, count) + 1) }
    // A segment ends where the next one begins. That with the event of the snapshot itself is kept, as its witness.
    let segments = zip(listing.segments, listing.segments.dropFirst()).prefix { $0.1 <= needed }.map(\.0)
    return (snapshots, segments)
  }
}
