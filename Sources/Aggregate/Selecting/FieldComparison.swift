import Streams

/// Reads a field anew, and puts it in the place of an old one if the two differ. Who calls it does not know the types,
/// so the addresses are untyped: they are those of what is read from, and of the field.
///
/// - Returns: whether it differs.
@usableFromInline
package typealias FieldUpdate = @Sendable (_ state: UnsafeRawPointer, _ field: UnsafeMutableRawPointer) -> Bool

/// What two comparisons can have in common: closures cannot be compared.
@usableFromInline
package enum ComparisonKind: Hashable, Sendable {
  /// By `==`, so that one of two equivalent fields may stand for the other.
  case equality
  /// By a closure of the user, here or in what is read from.
  case own
  /// Each field differs from the one before.
  case never
}

/// How an unchanged field is told from a changed one.
@usableFromInline
package struct FieldComparison<Field: Sendable>: Sendable {
  @usableFromInline package let kind: ComparisonKind
  @usableFromInline package let areEquivalent: @Sendable (_ old: Field, _ new: Field) -> Bool

  @inlinable
  @inline(__always)
  package init(_ kind: ComparisonKind, _ areEquivalent: @escaping @Sendable (_ old: Field, _ new: Field) -> Bool) {
    self.kind = kind
    self.areEquivalent = areEquivalent
  }

  /// One of the user, or else none.
  @inlinable
  @inline(__always)
  package init(_ own: (@Sendable (_ old: Field, _ new: Field) -> Bool)?) {
    self.init(own == nil ? .never : .own, own ?? { _, _ in false })
  }
}

extension FieldComparison where Field: Equatable {
  /// By `==`.
  @inlinable
  package static var equality: FieldComparison {
    @inline(__always) get { FieldComparison(.equality) { isUnchanged($0, $1) } }
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
  package func property<Field>(at offset: Int, as type: Field.Type) -> UnsafePointer<Field> {
    UnsafeRawPointer(self).advanced(by: offset).assumingMemoryBound(to: Field.self)
  }
}

extension UnsafeMutableRawPointer {
  /// Puts a field in the place of the one that is here, unless they are equivalent. Both are compared where they are,
  /// so a field that did not change is not retained.
  ///
  /// - Returns: whether they differ.
  @inlinable
  @inline(__always)
  package func replaceField<Field>(by new: Field, unless areEquivalent: (Field, Field) -> Bool) -> Bool {
    let field = assumingMemoryBound(to: Field.self)
    if areEquivalent(field.pointee, new) { return false }
    field.pointee = new
    return true
  }
}
