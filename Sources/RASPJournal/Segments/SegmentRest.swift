/// What stands behind the last whole batch of a segment. A file system may leave zeros there, as many as it likes; they
/// are counted, and not kept.
struct SegmentRest: Equatable {
  /// As many bytes as an unsynced segment may have, and more than a batch of ours.
  static let mostBytes = 256 << 20

  /// Up to the last byte that is not 0, and at least as many zeros behind it as the header of a batch may end with.
  private(set) var bytes: [UInt8] = []
  /// How many bytes there are, with the zeros.
  private(set) var count = 0

  init() {}

  init(_ bytes: [UInt8]) {
    _ = add(bytes)
  }

  var isEmpty: Bool { count == 0 }

  /// - Returns: `false` if there are more than ``mostBytes``.
  mutating func add(_ next: [UInt8]) -> Bool {
    let used = Self.usedCount(of: next)
    if used > 0 {
      if count + used > Self.mostBytes { return false }
      bytes.append(contentsOf: repeatElement(0, count: count - bytes.count))
      bytes.append(contentsOf: next[..<used])
    }
    count += next.count
    let wanted = min(count, Self.usedCount(of: bytes) + BatchHeader.size)
    bytes.append(contentsOf: repeatElement(0, count: max(0, wanted - bytes.count)))
    return true
  }

  /// The number of bytes up to the last one that is not 0.
  private static func usedCount(of bytes: [UInt8]) -> Int {
    bytes.withUnsafeBytes { bytes in
      var end = bytes.count
      while end >= 8, bytes.loadUnaligned(fromByteOffset: end - 8, as: UInt64.self) == 0 { end -= 8 }
      while end > 0, bytes[end - 1] == 0 { end -= 1 }
      return end
    }
  }

  /// Adds a part to a checksum, also zeros that are not kept.
  func add(_ range: Range<Int>, to checksum: inout CRC32C) {
    bytes.withUnsafeBytes { checksum.add($0.part(range.clamped(to: 0..<$0.count))) }
    var left = range.upperBound - max(range.lowerBound, bytes.count)
    let zeros = [UInt8](repeating: 0, count: max(0, min(left, 1 << 16)))
    while left > 0 {
      zeros.withUnsafeBytes { checksum.add($0.part(0..<min(left, $0.count))) }
      left -= zeros.count
    }
  }
}
