/// A selection in its branch, and what it takes to evaluate it.
///
/// A walk through the branch finds all of it side by side, and reads nothing of the node if the field has not changed.
/// It cannot be copied: a value that is borrowed from memory is called without counting a reference, and a copy is not.
@usableFromInline
struct ListedSelection: ~Copyable {
  /// Reads the field anew from what is above it, and replaces the old one if it differs.
  ///
  /// - Returns: whether it differs.
  @usableFromInline typealias Update = @Sendable (_ root: UnsafeRawPointer, _ field: UnsafeMutableRawPointer) -> Bool

  @usableFromInline let update: Update
  /// The address of the field that was read last.
  @usableFromInline let field: UnsafeMutableRawPointer
  /// The subscribers of the field, which the list has retained.
  @usableFromInline let group: Unmanaged<ObserverGroup>

  /// - Parameter field: the address of the field, which lives as long as the group.
  @usableFromInline
  init(_ group: ObserverGroup, field: UnsafeMutableRawPointer, update: @escaping Update) {
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

/// The selections of a branch, in one piece of memory. A walk retains and copies nothing.
///
/// Invariants: the list owns what is in it; there is no memory before the first selection comes, and none is given back
/// while the list lives.
@usableFromInline
struct SelectionList: ~Copyable {
  @usableFromInline var elements: UnsafeMutablePointer<ListedSelection>?
  // Of 32 bits, because most lists are short, and there are many.
  private var room: Int32 = 0
  @usableFromInline private(set) var length: Int32 = 0

  /// The number of selections.
  @inlinable
  var count: Int {
    @inline(__always) get { Int(length) }
  }

  @usableFromInline
  init() {}

  @inlinable
  deinit {
    guard let elements else { return }
    elements.deinitialize(count: count)
    elements.deallocate()
  }

  /// Evaluates the selection at an index below `count`.
  @inlinable
  @inline(__always)
  func evaluate(at index: Int, from root: UnsafeRawPointer) -> Bool {
    assert(index >= 0 && index < count, "A branch has no such selection.")
    return elements.unsafelyUnwrapped[index].evaluate(from: root)
  }

  /// Calls `body` with the subscribers of the selection at an index below `count`.
  @inlinable
  @inline(__always)
  func withGroup<Result>(at index: Int, _ body: (ObserverGroup) -> Result) -> Result {
    assert(index >= 0 && index < count, "A branch has no such selection.")
    return elements.unsafelyUnwrapped[index].group._withUnsafeGuaranteedRef { body($0) }
  }

  mutating func append(_ element: consuming ListedSelection) {
    if length == room { grow() }
    (elements.unsafelyUnwrapped + count).initialize(to: element)
    length += 1
  }

  /// Takes out the selection at an index and fills the gap with the last one.
  mutating func swapRemove(at index: Int) -> ListedSelection {
    assert(index >= 0 && index < count, "A branch has no such selection.")
    let elements = elements.unsafelyUnwrapped
    let removed = (elements + index).move()
    length -= 1
    if index < count { (elements + index).moveInitialize(from: elements + count, count: 1) }
    return removed
  }

  private mutating func grow() {
    let larger = max(1, Int(room) * 2)
    let grown = UnsafeMutablePointer<ListedSelection>.allocate(capacity: larger)
    if let elements {
      grown.moveInitialize(from: elements, count: count)
      elements.deallocate()
    }
    elements = grown
    room = Int32(larger)
  }
}

/// A selection that has left the tree, to be released when the queue is free: it holds closures of the user.
///
/// Safe to share: what it holds is, and it does not change.
final class LeftSelection: Sendable {
  private let group: ObserverGroup
  private let update: ListedSelection.Update

  init(_ selection: consuming ListedSelection) {
    group = selection.group.takeUnretainedValue()
    update = selection.update
  }
}
