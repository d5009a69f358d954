/// Room for one value of any type, which is put there as it is. A large value takes a box.
///
/// An existential would have less room, and to copy one into it and out of it calls functions that do not know the
/// type.
///
/// Its owner releases the value: a copy of the room is no copy of the value.
@usableFromInline
struct InlineValue: Sendable {
  @usableFromInline typealias Words = (UInt, UInt, UInt, UInt, UInt, UInt)

  @usableFromInline var words: Words = (0, 0, 0, 0, 0, 0)
  /// The type of the value; `nil` if it is in a box, or if there is none.
  @usableFromInline var type: (any Sendable.Type)?
  /// Is `true` if there is a value that has to be released.
  @usableFromInline var isOwner = false

  @inlinable
  init() {}

  /// Puts a value into the room, which owns none.
  @inlinable
  @inline(__always)
  mutating func put<Value: Sendable>(_ value: Value) {
    // A room is moved as it is, and so must be the value.
    guard MemoryLayout<Value>.size <= MemoryLayout<Words>.size,
      MemoryLayout<Value>.alignment <= MemoryLayout<Words>.alignment,
      _isBitwiseTakable(Value.self)
    else { return putBox(value) }
    type = Value.self
    isOwner = !_isPOD(Value.self)
    withUnsafeMutablePointer(to: &words) { words in
      // Not the typed pointer: code that does not know the type would look up that of the pointer.
      _ = UnsafeMutableRawPointer(words).initializeMemory(as: Value.self, to: value)
    }
  }

  @usableFromInline
  mutating func putBox(_ value: any Sendable) {
    type = nil
    isOwner = true
    withUnsafeMutablePointer(to: &words) { words in
      _ = UnsafeMutableRawPointer(words).initializeMemory(as: (any Sendable).self, to: value)
    }
  }

  /// The value; `nil` if there is none.
  var value: (any Sendable)? {
    mutating get {
      func read<Value: Sendable>(_: Value.Type, _ words: UnsafeMutableRawPointer) -> any Sendable {
        words.assumingMemoryBound(to: Value.self).pointee
      }
      let (type, isOwner) = (type, isOwner)
      return withUnsafeMutablePointer(to: &words) { words in
        if let type { return read(type, words) }
        return isOwner ? UnsafeMutableRawPointer(words).assumingMemoryBound(to: (any Sendable).self).pointee : nil
      }
    }
  }

  /// Empties the room.
  mutating func release() {
    func release<Value: Sendable>(_: Value.Type, _ words: UnsafeMutableRawPointer) {
      words.assumingMemoryBound(to: Value.self).deinitialize(count: 1)
    }
    let (type, isOwner) = (type, isOwner)
    withUnsafeMutablePointer(to: &words) { words in
      guard isOwner else { return }
      if let type { return release(type, words) }
      UnsafeMutableRawPointer(words).assumingMemoryBound(to: (any Sendable).self).deinitialize(count: 1)
    }
    self.type = nil
    self.isOwner = false
  }
}
