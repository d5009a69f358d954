/// A table whose keys are the identities of types. Nothing is taken out.
///
/// ```
///   slots    –  │ A │ B │ –  │ C │ –  │ –  │ –       a key stands at its place, or behind it where the next is free
/// ```
///
/// It is faster than a dictionary. The hash function of a dictionary protects from an attacker who chooses keys that
/// collide; the address of a type cannot be chosen.
///
/// Invariant: at least half of the slots are free, so a search ends soon.
struct TypeTable<Value: Sendable>: Sendable {
  /// The addresses of the types; zero where a place is free. They stand apart from the values, so that a search counts
  /// no references.
  private var keys: ContiguousArray<UInt> = [0, 0]
  private var entries: ContiguousArray<Value?> = [nil, nil]
  private(set) var count = 0
  /// The number of bits of a hash that are not part of the place.
  private var shift = UInt(UInt.bitWidth - 1)

  /// The values, in no order.
  var values: [Value] { entries.compactMap { $0 } }

  /// The place of a key, or the free place where it would be put.
  @inline(__always)
  private func place(of key: UInt) -> Int {
    // The upper bits of the product depend on all bits of the address; the lower bits of an address are all zero.
    let factor = UInt(truncatingIfNeeded: 0x9E37_79B9_7F4A_7C15 as UInt64)
    var place = Int(truncatingIfNeeded: (key &* factor) &>> shift)
    while keys[place] != 0, keys[place] != key { place = (place &+ 1) & (keys.count &- 1) }
    return place
  }

  /// - Complexity: O(1).
  subscript(key: ObjectIdentifier) -> Value? { entries[place(of: UInt(bitPattern: key))] }

  /// Puts a value in, unless there is one with this key.
  ///
  /// - Returns: the value that is there now.
  /// - Complexity: O(1) amortised.
  mutating func insert(_ value: Value, _ key: ObjectIdentifier) -> Value {
    let key = UInt(bitPattern: key)
    let place = place(of: key)
    if let present = entries[place] { return present }
    put(value, key, at: place)
    count += 1
    if count * 2 > keys.count { grow() }
    return value
  }

  private mutating func put(_ value: Value?, _ key: UInt, at place: Int) {
    keys[place] = key
    entries[place] = value
  }

  private mutating func grow() {
    let old = (keys, entries)
    keys = ContiguousArray(repeating: 0, count: old.0.count * 2)
    entries = ContiguousArray(repeating: nil, count: old.0.count * 2)
    shift -= 1
    for (key, value) in zip(old.0, old.1) where key != 0 { put(value, key, at: place(of: key)) }
  }
}
