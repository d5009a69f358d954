/// A selection in its branch, and what it takes to evaluate it.
///
/// A walk through the branch finds all of it side by side, and reads nothing of the node if the field has not changed.
/// It cannot be copied: a value that is borrowed from memory is called without counting a reference, and a copy is not.
@usableFromInline
struct ListedSelection: ~Copyable {
  /// Reads the field anew from what is above it, and replaces the old one if it differs.
  @usableFromInline let update: FieldUpdate
  /// The address of the field that was read last.
  @usableFromInline let field: UnsafeMutableRawPointer
  /// The subscribers of the field, which the list has retained.
  @usableFromInline let group: Unmanaged<ObserverGroup>

  /// - Parameter field: the address of the field, which lives as long as the group.
  @usableFromInline
  init(_ group: ObserverGroup, field: UnsafeMutableRawPointer, update: @escaping FieldUpdate) {
    self.update = update
    self.field = field
    self.group = .passRetained(group)
  }

  @inlinable
  deinit {
    group.release()
  }

  /// Reads the field anew, and puts it in the place of the old one if it differs.
  ///
  /// - Returns: whether it differs.
  @inlinable
  @inline(__always)
  borrowing func evaluate(from root: UnsafeRawPointer) -> Bool {
    update(root, field)
  }
}

/// The selections of a branch.
@usableFromInline typealias SelectionList = OwnedList<ListedSelection>

extension OwnedList where Element == ListedSelection {
  /// Evaluates the selection at an index below `count`.
  @inlinable
  @inline(__always)
  func evaluate(at index: Int, from root: UnsafeRawPointer) -> Bool {
    address(at: index).pointee.evaluate(from: root)
  }

  /// Calls `body` with the subscribers of the selection at an index below `count`.
  @inlinable
  @inline(__always)
  func withGroup<Result>(at index: Int, _ body: (ObserverGroup) -> Result) -> Result {
    address(at: index).pointee.group._withUnsafeGuaranteedRef { body($0) }
  }
}

/// A selection that has left the tree, to be released when the queue is free: it holds closures of the user.
struct LeftSelection {
  private let group: ObserverGroup
  private let update: FieldUpdate

  init(_ selection: consuming ListedSelection) {
    group = selection.group.takeUnretainedValue()
    update = selection.update
  }
}

/// What was taken out of a tree, to be released when the queue is free: it holds closures of the user.
@usableFromInline
package struct TreeGarbage {
  package var observer: AnyObject?
  var selections: [LeftSelection] = []
  package var owner: AnyObject?

  package init(observer: AnyObject? = nil) {
    self.observer = observer
  }
}
