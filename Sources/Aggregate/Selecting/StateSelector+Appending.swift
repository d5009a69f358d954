import RASPPrimitives
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
    let outer = self
    var sum: Int?
    if let offset, let innerOffset = inner.offset { sum = offset + innerOffset }
    let isInPlace = isInPlace && inner.isInPlace
    var recall: (@Sendable (State) -> Inner)?
    if !isInPlace { recall = { inner(outer($0)) } }
    return StateSelector<State, Inner>(
      id: .path(id, inner.id),
      offset: sum,
      isInPlace: isInPlace,
      isComparable: inner.isComparable,
      isExact: inner.isExact,
      comparing: inner.areEquivalent,
      recall: recall,
      makeReader: { outer.makeReader(appending: inner) }
    )
  }

  @inlinable
  func makeReader<Inner: Sendable>(appending inner: StateSelector<Field, Inner>) -> FieldReader<State, Inner> {
    let innerReader = inner.makeReader()
    // A read by key path costs less than to remember what it reads from.
    if let offset, inner.id.isKeyPath {
      // The closures by themselves: where this is not specialised, a use of the pair would look its type up.
      let read = innerReader.read
      let update = innerReader.update
      return FieldReader(read: { read($0.property(at: offset, as: Field.self)) }) { state, field in
        update(state.advanced(by: offset), field)
      }
    }
    let outerReader = makeReader()
    guard isComparable, !inner.id.isKeyPath else {
      return FieldReader(read: { innerReader.read(inPlaceOf: outerReader.read($0)) }) { state, field in
        let outer = outerReader.read(state.assumingMemoryBound(to: State.self))
        return withUnsafePointer(to: outer) { innerReader.update(UnsafeRawPointer($0), field) }
      }
    }
    let last = Confined<Field?>(nil)
    return FieldReader { state in
      let outer = outerReader.read(state)
      last.withValue { $0 = outer }
      return innerReader.read(inPlaceOf: outer)
    } update: { [areEquivalent] state, field in
      let outer = outerReader.read(state.assumingMemoryBound(to: State.self))
      let isSame = last.withValue { last in
        if let old = last, areEquivalent(old, outer) { return true }
        last = outer
        return false
      }
      return !isSame && withUnsafePointer(to: outer) { innerReader.update(UnsafeRawPointer($0), field) }
    }
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
