import Streams

extension StateSelector {
  /// Reads another field in the field that this selector reads.
  ///
  ///     StateSelector(\AppState.boat).appending(StateSelector(\Boat.speed))
  ///
  /// The result compares as `inner` does.
  ///
  /// - Complexity: two stored properties are read as one. If `inner` was made from a closure and this field can be
  ///   compared, the closure runs only when this field has changed; the field is kept for that, so an event that
  ///   changes a collection in it copies the collection.
  @inlinable
  public func appending<Inner: Sendable>(_ inner: StateSelector<Field, Inner>) -> StateSelector<State, Inner> {
    let id = SelectorID.path(id, inner.id)
    if let offset, inner.id.isKeyPath || comparison.kind == .never {
      return inner.inWhole(of: State.self, at: offset, id: id)
    }
    let (outerRead, outerBegin) = (read, begin)
    let (innerRead, innerBegin) = (inner.read, inner.begin)
    let read: @Sendable (UnsafePointer<State>) -> Inner = { withUnsafePointer(to: outerRead($0), innerRead) }
    // A read by key path costs less than to remember what it reads from. What is without an update of its own keeps
    // what it has begun with, so that has to last.
    if inner.update != nil, inner.id.isKeyPath || comparison.kind == .never {
      return StateSelector<State, Inner>(id: id, comparison: inner.comparison, read: read)
    }
    let kind = comparison.kind == .own ? .own : inner.comparison.kind
    return StateSelector<State, Inner>(
      id: id,
      offset: offset.flatMap { offset in inner.offset.map { offset + $0 } },
      comparison: FieldComparison(kind, inner.comparison.areEquivalent),
      read: read
    ) { state, _ in
      let outer = outerBegin(state, nil)
      let last = Confined(outer.field)
      let use = innerBegin(UnsafePointer(last.pointer), nil)
      return (
        use.field,
        { state, field in outer.update(state, last.pointer) && use.update(last.pointer, field) }
      )
    }
  }

  /// The same field as one of a whole that this state is a stored property of.
  ///
  /// - Parameters:
  ///   - type: that of the whole. Code that does not know it gives another one: the pointers to the whole are used with
  ///     the offset only.
  ///   - offset: where the property is in the whole.
  @inlinable
  func inWhole<Whole: Sendable>(
    of type: Whole.Type,
    at offset: Int,
    id: SelectorID
  ) -> StateSelector<Whole, Field> {
    let (read, begin) = (read, begin)
    var inPlace: FieldUpdate?
    if let update { inPlace = { update($0.advanced(by: offset), $1) } }
    return StateSelector<Whole, Field>(
      id: id,
      offset: self.offset.map { $0 + offset },
      comparison: comparison,
      read: { read($0.property(at: offset, as: State.self)) },
      begin: { whole, _ in
        let use = begin(whole.property(at: offset, as: State.self), nil)
        let update = use.update
        return (use.field, { update($0.advanced(by: offset), $1) })
      },
      update: inPlace
    )
  }

  /// Reads a key path in the field that this selector reads. The result compares with `==`.
  ///
  /// - Complexity: as the other forms of `appending`.
  @inlinable
  public func appending<Inner: Equatable & Sendable>(
    _ keyPath: any KeyPath<Field, Inner> & Sendable
  ) -> StateSelector<State, Inner> {
    appending(StateSelector<Field, Inner>(keyPath))
  }

  /// Transforms the field that this selector reads with a closure. The result compares with `==`.
  ///
  /// - Complexity: as the other forms of `appending`.
  @inlinable
  public func appending<Inner: Equatable & Sendable>(
    _ transform: @escaping @Sendable (Field) -> Inner
  ) -> StateSelector<State, Inner> {
    appending(StateSelector<Field, Inner>(transform))
  }
}
