/// A key that is divided among shards, and among the partitions of a log, by its bytes: in the same way in every
/// process and on every machine. (A `Hashable` key alone cannot promise this, because each process hashes with a seed
/// of its own.)
///
///     struct SensorID: PartitionKey {
///       let name: String
///       var partitionBytes: String.UTF8View { name.utf8 }
///     }
///
/// Strings and integers conform, and so does a type with such a raw value that declares the conformance.
public protocol PartitionKey: Hashable, Sendable {
  /// The sequence of the bytes.
  associatedtype PartitionBytes: Sequence<UInt8>

  /// The bytes that decide the partition. Equal keys have equal bytes.
  var partitionBytes: PartitionBytes { get }
}

extension PartitionKey {
  /// The index of the partition that the key belongs to: the FNV-1a hash of 32 bits of its bytes, modulo the number of
  /// partitions. NATS divides subjects in the same way.
  ///
  /// - Parameter count: the number of partitions; less than one counts as one.
  /// - Complexity: O(bytes).
  @inlinable
  public func partition(of count: Int) -> Int {
    let bytes = partitionBytes
    let hash = bytes.withContiguousStorageIfAvailable { Self.hash($0) } ?? Self.hash(bytes)
    return Int(hash % UInt32(clamping: max(1, count)))
  }

  @inlinable
  static func hash(_ bytes: some Sequence<UInt8>) -> UInt32 {
    var hash: UInt32 = 0x811c_9dc5
    for byte in bytes { hash = (hash ^ UInt32(byte)) &* 0x0100_0193 }
    return hash
  }
}

extension PartitionKey where Self: RawRepresentable, RawValue: PartitionKey {
  /// The bytes of the raw value.
  @inlinable
  public var partitionBytes: RawValue.PartitionBytes { rawValue.partitionBytes }
}

extension String: PartitionKey {
  /// The string in UTF-8.
  @inlinable
  public var partitionBytes: String.UTF8View { utf8 }
}

extension Substring: PartitionKey {
  /// The string in UTF-8.
  @inlinable
  public var partitionBytes: Substring.UTF8View { utf8 }
}

extension FixedWidthInteger where Self: PartitionKey {
  /// The decimal digits, as they stand in a text. So an integer belongs to the same partition as its text, and to the
  /// one that a broker finds that divides by the text of a subject.
  @inlinable
  public var partitionBytes: DecimalDigits { DecimalDigits(self) }
}

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

/// The characters of an integer in decimal notation, in ASCII, without memory of their own.
public struct DecimalDigits: Sequence, IteratorProtocol, Sendable {
  @usableFromInline var rest: UInt64
  /// The power of ten of the next digit; zero at the end.
  @usableFromInline var power: UInt64
  @usableFromInline var isNegative: Bool

  @inlinable
  init(_ integer: some FixedWidthInteger) {
    isNegative = integer < 0
    rest = UInt64(integer.magnitude)
    power = 1
    while rest / power >= 10 { power *= 10 }
  }

  /// The next character.
  ///
  /// - Complexity: O(1).
  @inlinable
  public mutating func next() -> UInt8? {
    if isNegative {
      isNegative = false
      return UInt8(ascii: "-")
    }
    guard power > 0 else { return nil }
    defer {
      rest %= power
      power /= 10
    }
    return UInt8(ascii: "0") + UInt8(rest / power)
  }
}
