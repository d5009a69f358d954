/// Reads a field anew, and puts it in the place of an old one if the two differ. Who calls it does not know the types,
/// so the addresses are untyped: they are those of what is read from, and of the field.
///
/// - Returns: whether it differs.
@usableFromInline
package typealias FieldUpdate = @Sendable (_ state: UnsafeRawPointer, _ field: UnsafeMutableRawPointer) -> Bool

/// The read of a selector, for one use of it: two closures, made where the types are known, so that reading, comparing
/// and replacing are one piece of specialised code.
///
/// Some selectors remember something from one read to the next. They make a reader for each use, and only the owner of
/// that use calls it.
@usableFromInline
package struct FieldReader<State: Sendable, Field: Sendable>: Sendable {
  /// Reads the field.
  @usableFromInline package let read: @Sendable (_ state: UnsafePointer<State>) -> Field

  /// Reads the field and replaces an old one by it, if the two differ.
  @usableFromInline package let update: FieldUpdate

  /// A reader that compares with a closure.
  @inlinable
  package init(
    comparing areEquivalent: @escaping @Sendable (Field, Field) -> Bool,
    read: @escaping @Sendable (_ state: UnsafePointer<State>) -> Field
  ) {
    self.read = read
    update = { state, field in
      let new = read(state.assumingMemoryBound(to: State.self))
      let field = field.assumingMemoryBound(to: Field.self)
      if areEquivalent(field.pointee, new) { return false }
      field.pointee = new
      return true
    }
  }

  @inlinable
  @inline(__always)
  package init(
    read: @escaping @Sendable (_ state: UnsafePointer<State>) -> Field,
    update: @escaping FieldUpdate
  ) {
    self.read = read
    self.update = update
  }

  /// Reads the field of a state that is a value of its own.
  @inlinable
  package func read(inPlaceOf state: State) -> Field {
    withUnsafePointer(to: state) { read($0) }
  }
}

/// A value in memory, seen as something that cannot be copied.
///
/// A value that is read through a pointer is copied for a call, with a retain and a release of each reference in it,
/// because the call might change what is behind the pointer. A struct that cannot be copied is borrowed instead, and so
/// is the value in it.
@usableFromInline
struct InPlace<Value>: ~Copyable {
  @usableFromInline let value: Value

  @inlinable
  @inline(__always)
  borrowing func read<Field>(_ read: (Value) -> Field) -> Field {
    read(value)
  }
}

extension UnsafePointer {
  /// Reads with a closure, without copying what is read from.
  @inlinable
  @inline(__always)
  package func read<Field>(_ read: (Pointee) -> Field) -> Field {
    // A struct is laid out as the only property that it has. Nothing changes the value while it is borrowed: a state is
    // read between two events only, by the owner of the queue that protects it, or in a copy.
    UnsafeRawPointer(self).assumingMemoryBound(to: InPlace<Pointee>.self).pointee.read(read)
  }

  /// The stored property at an offset, as `MemoryLayout.offset(of:)` gave it.
  @inlinable
  @inline(__always)
  func property<Field>(at offset: Int, as type: Field.Type) -> UnsafePointer<Field> {
    UnsafeRawPointer(self).advanced(by: offset).assumingMemoryBound(to: Field.self)
  }
}
