/// A key that is divided among shards, and among the partitions of a log, by its bytes: in the same way in every
/// process and on every machine. (A `Hashable` key alone cannot promise this, because each process hashes with a seed
/// of its own.)
///
///     struct SensorID: PartitionKey {
///       let site: String
///       let number: Int
///
///       static func hash(_ key: SensorID, into hasher: inout PartitionHasher) {
///         hasher.combine(key.site)
///         hasher.combine(key.number)
///       }
///     }
///
/// Strings and integers conform, and so does a type with such a raw value that declares the conformance. The
/// requirement is a static function, so that no member is added to the values of these types.
public protocol PartitionKey: Hashable, Sendable {
  /// Feeds what decides the partition to a hasher. Equal keys feed the same bytes.
  static func hash(_ key: Self, into hasher: inout PartitionHasher)
}

extension PartitionKey where Self: RawRepresentable, RawValue: PartitionKey {
  /// Feeds the raw value.
  @inlinable
  public static func hash(_ key: Self, into hasher: inout PartitionHasher) { hasher.combine(key.rawValue) }
}

extension StringProtocol where Self: PartitionKey {
  /// Feeds the string in UTF-8.
  @inlinable
  public static func hash(_ key: Self, into hasher: inout PartitionHasher) { hasher.combine(bytes: key.utf8) }
}

extension FixedWidthInteger where Self: PartitionKey {
  /// Feeds the decimal digits, as they stand in a text. So an integer belongs to the same partition as its text, and to
  /// the one that a broker finds that divides by the text of a subject.
  @inlinable
  public static func hash(_ key: Self, into hasher: inout PartitionHasher) { hasher.combine(digitsOf: key) }
}

extension String: PartitionKey {}
extension Substring: PartitionKey {}
extension Int: PartitionKey {}
extension Int8: PartitionKey {}
extension Int16: PartitionKey {}
extension Int32: PartitionKey {}
extension Int64: PartitionKey {}
extension UInt: PartitionKey {}
extension UInt8: PartitionKey {}
extension UInt16: PartitionKey {}
extension UInt32: PartitionKey {}
extension UInt64: PartitionKey {}

/// Finds the partition of a key: the FNV-1a hash of 32 bits of the key's bytes, modulo the number of partitions. NATS
/// divides subjects in the same way, and so can a writer in any language.
///
///     PartitionHasher.partition(of: "boiler-7", among: 64)      // 40, in every process
public struct PartitionHasher: Sendable {
  @usableFromInline var state: UInt32 = 0x811c_9dc5

  @inlinable
  init() {}

  /// The index of the partition that a key belongs to.
  ///
  /// - Parameters:
  ///   - key: the key.
  ///   - count: the number of partitions; less than one counts as one.
  /// - Complexity: O(bytes of the key).
  @inlinable
  public static func partition(of key: some PartitionKey, among count: Int) -> Int {
    var hasher = PartitionHasher()
    hasher.combine(key)
    return Int(hasher.state % UInt32(clamping: max(1, count)))
  }

  /// Feeds a part of a key.
  ///
  /// - Complexity: O(bytes of the part).
  @inlinable
  public mutating func combine<Key: PartitionKey>(_ key: Key) {
    Key.hash(key, into: &self)
  }

  /// Feeds bytes.
  ///
  /// - Complexity: O(bytes).
  @inlinable
  public mutating func combine(bytes: some Sequence<UInt8>) {
    let start = state
    state = bytes.withContiguousStorageIfAvailable { Self.hash($0, from: start) } ?? Self.hash(bytes, from: start)
  }

  /// Feeds the characters of an integer in decimal notation, in ASCII, without making the text.
  @inlinable
  mutating func combine(digitsOf integer: some FixedWidthInteger) {
    if integer < 0 { state = Self.next(state, UInt8(ascii: "-")) }
    var rest = UInt64(integer.magnitude)
    var power: UInt64 = 1
    while rest / power >= 10 { power *= 10 }
    while power > 0 {
      state = Self.next(state, UInt8(ascii: "0") + UInt8(rest / power))
      rest %= power
      power /= 10
    }
  }

  @inlinable
  static func hash(_ bytes: some Sequence<UInt8>, from start: UInt32) -> UInt32 {
    var state = start
    for byte in bytes { state = next(state, byte) }
    return state
  }

  @inlinable
  static func next(_ state: UInt32, _ byte: UInt8) -> UInt32 { (state ^ UInt32(byte)) &* 0x0100_0193 }
}
