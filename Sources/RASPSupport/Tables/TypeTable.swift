/// A table whose keys are the identities of types. Nothing is taken out.
///
/// ```
///   slots    –  │ A │ B │ –  │ C │ –  │ –  │ –       a key stands in its slot, or behind it where the next is free
/// ```
///
/// It is faster than a dictionary. The hash function of a dictionary protects from an attacker who chooses keys that
/// collide; the address of a type cannot be chosen.
///
/// Invariant: at least half of the slots are free, so a search ends soon.
@usableFromInline
package struct TypeTable<Value: Sendable>: Sendable {
  /// The addresses of the types; zero where a slot is free. They stand apart from the values, so that a search counts
  /// no references.
  @usableFromInline var keys: ContiguousArray<UInt> = [0, 0]
  @usableFromInline var entries: ContiguousArray<Value?> = [nil, nil]
  @usableFromInline package var count = 0
  /// The number of bits of a hash that are not part of a slot's number.
  @usableFromInline var shift = UInt(UInt.bitWidth - 1)

  @inlinable
  package init() {}

  /// The values, in no order.
  @inlinable package var values: [Value] { entries.compactMap { $0 } }

  /// The slot of a key, or the free one where it would be put.
  @inlinable
  @inline(__always)
  func slot(of key: UInt) -> Int {
    // The upper bits of the product depend on all bits of the address; the lower bits of an address are all zero.
    let factor = UInt(truncatingIfNeeded: 0x9E37_79B9_7F4A_7C15 as UInt64)
    var slot = Int(truncatingIfNeeded: (key &* factor) &>> shift)
    while keys[slot] != 0, keys[slot] != key { slot = (slot &+ 1) & (keys.count &- 1) }
    return slot
  }

  /// - Complexity: O(1).
  @inlinable
  package subscript(key: ObjectIdentifier) -> Value? { entries[slot(of: UInt(bitPattern: key))] }

  /// Puts a value in, unless there is one with this key.
  ///
  /// - Returns: the value that is there now.
  /// - Complexity: O(1) amortised.
  @inlinable
  package mutating func insert(_ value: Value, _ key: ObjectIdentifier) -> Value {
    let key = UInt(bitPattern: key)
    let slot = slot(of: key)
    if let present = entries[slot] { return present }
    put(value, key, at: slot)
    count += 1
    if count * 2 > keys.count { grow() }
    return value
  }

  @inlinable
  mutating func put(_ value: Value?, _ key: UInt, at slot: Int) {
    keys[slot] = key
    entries[slot] = value
  }

  @inlinable
  mutating func grow() {
    let old = (keys, entries)
    keys = ContiguousArray(repeating: 0, count: old.0.count * 2)
    entries = ContiguousArray(repeating: nil, count: old.0.count * 2)
    shift -= 1
    for (key, value) in zip(old.0, old.1) where key != 0 { put(value, key, at: slot(of: key)) }
  }
}
