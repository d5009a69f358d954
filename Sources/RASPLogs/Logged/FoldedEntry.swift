/// The newest entry that rows have.
struct FoldedEntry: Equatable, Sendable {
  var offset: Int
  /// Tells it from another one that has its offset.
  var identity: EntryIdentity

  /// There are no rows.
  static let none = FoldedEntry(offset: 0, identity: .unknown)
}
