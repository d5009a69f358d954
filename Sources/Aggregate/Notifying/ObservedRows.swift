import RASPPrimitives
import RASPSupport
import Streams

/// What the node of a collection with keys holds in the place of a copy of the collection: a copy would make the next
/// event copy all rows. It finds the rows that have changed, so that only their selections are evaluated.
///
/// Safe to share: the address is that of a stored property of what is selected from, which does not move and lives
/// longer than the node.
@usableFromInline
final class ObservedRows: Sendable {
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

  @usableFromInline let address: SharedAddress<UnsafeRawPointer>
  @usableFromInline let stamps: Confined<Stamps>
  private let update: UpdateChanged

  @usableFromInline
  struct Stamps: Sendable {
    /// That of the content that the selections were evaluated with last.
    @usableFromInline var last: UInt64
    /// That of the content that they are being evaluated with.
    @usableFromInline var new: UInt64
  }

  @usableFromInline
  init(_ address: UnsafeRawPointer, stamp: UInt64, update: @escaping UpdateChanged) {
    self.address = SharedAddress(address)
    stamps = Confined(Stamps(last: stamp, new: stamp))
    self.update = update
  }

  /// The stamp of the content that the selections were evaluated with last.
  @inlinable
  var stamp: UInt64 {
    @inline(__always) get { stamps.withValue { $0.last } }
  }

  /// The collection.
  @inlinable
  @inline(__always)
  func collection<Rows: RowCollection>(of type: Rows.Type) -> UnsafePointer<Rows> {
    address.pointer.assumingMemoryBound(to: Rows.self)
  }

  /// Looks at the collection anew.
  ///
  /// - Returns: whether it has changed.
  @inlinable
  @inline(__always)
  func notice(_ newStamp: UInt64) -> Bool {
    stamps.withValue { stamps in
      guard newStamp != stamps.new else { return false }
      stamps.new = newStamp
      return true
    }
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
    stamps.withValue { $0.last = $0.new }
    return update(self, before, root, branch, &round, access)
  }
}
