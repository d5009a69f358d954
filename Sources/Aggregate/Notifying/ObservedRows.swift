import Streams

/// What the node of a collection with keys holds in the place of a copy of the collection: a copy would make the next
/// event copy all rows. It finds the rows that have changed, so that only their selections are evaluated.
///
/// Safe to share: it belongs to the owner of the queue, as the node it is in. The address is that of a stored property
/// of what is selected from, which does not move and lives longer than the node.
@usableFromInline
final class ObservedRows: @unchecked Sendable {
  /// Evaluates the selections of the rows that have changed since a content. The root is what they read from: this
  /// object's place in its node.
  ///
  /// - Parameter branch: the address of the ``SelectionBranch`` that the selections are in.
  /// - Returns: `false` if it is not known which have changed. Then nothing was done.
  @usableFromInline typealias UpdateChanged =
    @Sendable (
      _ rows: ObservedRows, _ stamp: UInt64, _ root: UnsafeRawPointer, _ branch: UnsafeMutableRawPointer,
      _ round: inout Round, _ access: QueueAccess
    ) -> Bool

  @usableFromInline let address: UnsafeRawPointer
  /// The stamp of the content that the selections were evaluated with last.
  @usableFromInline @exclusivity(unchecked) var stamp: UInt64
  /// The same of the content that they are being evaluated with.
  @usableFromInline @exclusivity(unchecked) var newStamp: UInt64
  private let update: UpdateChanged

  @usableFromInline
  init(_ address: UnsafeRawPointer, stamp: UInt64, update: @escaping UpdateChanged) {
    self.address = address
    self.stamp = stamp
    newStamp = stamp
    self.update = update
  }

  /// The collection.
  @inlinable
  @inline(__always)
  func collection<Rows: RowCollection>(of type: Rows.Type) -> UnsafePointer<Rows> {
    address.assumingMemoryBound(to: Rows.self)
  }

  /// Looks at the collection anew.
  ///
  /// - Returns: whether it has changed.
  @inlinable
  @inline(__always)
  func notice(_ newStamp: UInt64) -> Bool {
    guard newStamp != self.newStamp else { return false }
    self.newStamp = newStamp
    return true
  }

  /// Evaluates the selections of the rows that have changed since the last time.
  ///
  /// - Parameter branch: the address of the ``SelectionBranch`` that the selections are in.
  /// - Returns: `false` if it is not known which have changed: all are to be evaluated then.
  func updateChanged(
    _ branch: UnsafeMutableRawPointer,
    from root: UnsafeRawPointer,
    _ round: inout Round,
    _ access: QueueAccess
  ) -> Bool {
    let before = stamp
    stamp = newStamp
    return update(self, before, root, branch, &round, access)
  }
}
