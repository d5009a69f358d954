import RASPPrimitives
import RASPSupport
import Streams

/// A selection node, with the type of its field.
///
/// Safe to share: as its superclass.
@usableFromInline
package final class FieldNode<Field: Sendable>: SelectionNode, ObserverSource, @unchecked Sendable {
  @usableFromInline
  struct Contents: ~Copyable {
    @usableFromInline var field: Field
    @usableFromInline var observers = ObserverList()

    @inlinable
    init(_ field: Field) {
      self.field = field
    }
  }

  /// The node keeps it alive as long as it has a subscriber, or a node below it has one; then the tree gives it up.
  @usableFromInline let owner: any SelectionNodeOwner

  @inlinable
  init(
    _ contents: UnsafeMutablePointer<Contents>,
    id: SelectorID,
    hash: Int32,
    below parent: SelectionNode?,
    of owner: any SelectionNodeOwner
  ) {
    self.owner = owner
    super.init(
      id: id,
      hash: hash,
      below: parent,
      field: UnsafeMutableRawPointer(contents),
      observers: withUnsafeMutablePointer(to: &contents.pointee.observers) { $0 }
    ) { group, message, position, limit, access in
      let contents = unsafeDowncast(group, to: FieldNode.self).contents(access)
      return contents.pointee.observers.forEach(from: &position, below: limit) { object in
        let observer = unsafeDowncast(object, to: Observer<Field, Never>.self)
        switch message {
        case .value: observer.send(contents.pointee.field)
        case .end: observer.end(.finished)
        }
      }
    }
  }

  deinit {
    let contents = field.assumingMemoryBound(to: Contents.self)
    contents.deinitialize(count: 1)
    contents.deallocate()
  }

  /// The field and its subscribers, in memory of their own: the first property of a struct is at its address.
  @inlinable
  @inline(__always)
  func contents(_ access: QueueAccess) -> UnsafeMutablePointer<Contents> {
    access.check()
    return field.assumingMemoryBound(to: Contents.self)
  }

  /// Takes an observer out, and the node if it was the last one.
  @usableFromInline
  package func remove(_ observer: AnyObject) {
    let observer = unsafeDowncast(observer, to: Observer<Field, Never>.self)
    owner.remove(observer, token: observer.token, from: self)
  }
}

/// The part of an aggregator that a node needs, without the type of the state.
@usableFromInline
package protocol SelectionNodeOwner: AnyObject, Sendable {
  /// Takes an observer out of a node, and the node out of the tree if it has neither subscribers nor nodes below it.
  ///
  /// - Parameter token: that of the observer.
  func remove(_ observer: any AnyObject & Sendable, token: Int, from node: SelectionNode)

  func report(_ diagnostic: AggregatorDiagnostic)
}

extension SelectionBranch {
  /// The node of a selector: the one that is there, or a new one.
  ///
  /// Comparing selectors asks the key paths, and they ask the arguments that a user wrote into them. So this runs user
  /// code.
  ///
  /// - Parameters:
  ///   - root: what the selector reads from.
  ///   - parent: whose branch this is; `nil` below the state.
  ///   - owner: of the new node; it gets a mistake that was noticed, too.
  @inlinable
  package mutating func enter<Root: Sendable, Field: Sendable>(
    _ selector: StateSelector<Root, Field>,
    from root: UnsafeRawPointer,
    below parent: SelectionNode?,
    of owner: any SelectionNodeOwner
  ) -> FieldNode<Field> {
    assert(
      parent.map { UnsafeRawPointer($0.field) == root } ?? true,
      "A selection does not read from its parent's field."
    )
    // Asked once, because key paths take their time for it.
    let hash = selector.id.shortHash
    if let node = node(for: selector.id, with: hash) as? FieldNode<Field> { return node }
    let reader = selector.makeReader()
    let root = root.assumingMemoryBound(to: Root.self)
    let field = reader.read(root)
    #if DEBUG
      // Some values differ from themselves: NaN inside a struct, or a comparison that always says no.
      if selector.isComparable {
        let (areEquivalent, again) = (selector.areEquivalent, reader.read(root))
        if !areEquivalent(field, again), areEquivalent(field, field), !isSame(field, again) {
          owner.report(.impureSelector(field: "\(Field.self)"))
        }
      }
    #endif
    // The field is made right behind the reader, so that both often share a cache line: they are used together.
    let contents = UnsafeMutablePointer<FieldNode<Field>.Contents>.allocate(capacity: 1)
    contents.initialize(to: FieldNode<Field>.Contents(field))
    let node = FieldNode(contents, id: selector.id, hash: hash, below: parent, of: owner)
    add(node, update: reader.update)
    return node
  }
}
