/// A key that is divided among the partitions of a log by its bytes: in the same way in every process and on every
/// machine. (A `Hashable` key alone cannot promise this, because each process hashes with a seed of its own.)
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
  /// Feeds what decides the partition to a hasher. Equal keys feed the same bytes: a part that is a string is fed by
  /// ``PartitionHasher/combine(_:)``, and not by its bytes.
  static func hash(_ key: Self, into hasher: inout PartitionHasher)
}

extension PartitionKey where Self: RawRepresentable, RawValue: PartitionKey {
  /// Feeds the raw value.
  public static func hash(_ key: Self, into hasher: inout PartitionHasher) { hasher.combine(key.rawValue) }
}

extension StringProtocol where Self: PartitionKey {
  /// Feeds the string in UTF-8, in its composed form (NFC). Strings are equal if they are written with the same
  /// characters, also where one has "é" as one scalar and the other one as an "e" and an accent.
  public static func hash(_ key: Self, into hasher: inout PartitionHasher) { hasher.combine(text: String(key)) }
}

extension FixedWidthInteger where Self: PartitionKey {
  /// Feeds the decimal digits, as they stand in a text. So an integer belongs to the same partition as its text, and to
  /// the one that a broker finds that divides by the text of a subject.
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
///
/// The bytes of a string are the UTF-8 of its composed form (Unicode's NFC), because equal strings may be written in
/// two ways. Text in ASCII is that already. A writer in another language composes a key that is not, before it hashes
/// its bytes; a broker that divides by the subject does not, so who publishes composes the subject.
public struct PartitionHasher: Sendable {
  var state: UInt32 = 0x811c_9dc5

  init() {}

  /// The index of the partition that a key belongs to.
  ///
  /// - Parameters:
  ///   - key: the key.
  ///   - count: the number of partitions; less than one counts as one.
  /// - Complexity: O(bytes of the key).
  public static func partition(of key: some PartitionKey, among count: Int) -> Int {
    var hasher = PartitionHasher()
    hasher.combine(key)
    return Int(hasher.state % UInt32(clamping: max(1, count)))
  }

  /// Feeds a part of a key.
  ///
  /// - Complexity: O(bytes of the part).
  public mutating func combine<Key: PartitionKey>(_ key: Key) {
    Key.hash(key, into: &self)
  }

  /// Feeds bytes. The bytes of a string are not for this, see ``combine(_:)``.
  ///
  /// - Complexity: O(bytes).
  public mutating func combine(bytes: some Sequence<UInt8>) {
    let start = state
    state = bytes.withContiguousStorageIfAvailable { Self.hash($0, from: start) } ?? Self.hash(bytes, from: start)
  }

  /// Feeds the bytes of a text's composed form, the same for all texts that equal it.
  mutating func combine(text: String) {
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return combine(bytes: text.utf8) }
    // Those that `==` compares. Foundation would bring tables of its own, which may know other characters.
    text._withNFCCodeUnits { state = Self.next(state, $0) }
  }

  /// Feeds the characters of an integer in decimal notation, in ASCII, without making the text.
  mutating func combine(digitsOf integer: some FixedWidthInteger) {
    guard var rest = UInt64(exactly: integer.magnitude) else { return combine(bytes: "\(integer)".utf8) }
    if integer < 0 { state = Self.next(state, UInt8(ascii: "-")) }
    var power: UInt64 = 1
    while rest / power >= 10 { power *= 10 }
    while power > 0 {
      state = Self.next(state, UInt8(ascii: "0") + UInt8(rest / power))
      rest %= power
      power /= 10
    }
  }

  static func hash(_ bytes: some Sequence<UInt8>, from start: UInt32) -> UInt32 {
    var state = start
    for byte in bytes { state = next(state, byte) }
    return state
  }

  static func next(_ state: UInt32, _ byte: UInt8) -> UInt32 { (state ^ UInt32(byte)) &* 0x0100_0193 }
}
