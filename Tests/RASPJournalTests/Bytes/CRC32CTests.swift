import TestSupport
import Testing

@testable import RASPJournal

@Suite("The checksum")
struct CRC32CTests {
  @Test("known vectors: the check value, and those of RFC 3720")
  func vectors() {
    #expect(CRC32C.of(Array("123456789".utf8)) == 0xE306_9283)
    #expect(CRC32C.of([]) == 0)
    #expect(CRC32C.of([UInt8](repeating: 0, count: 32)) == 0x8A91_36AA)
    #expect(CRC32C.of([UInt8](repeating: 0xFF, count: 32)) == 0x62A8_AB43)
    #expect(CRC32C.of(Array(0..<32)) == 0x46DD_794E)
    #expect(CRC32C.of(Array((0..<32).reversed())) == 0x113F_DB5C)
  }

  @Test("parts that are added one after the other, at any address, give the checksum of the whole, bit by bit")
  func parts() {
    var random = SplitMix(seed: 1)
    for length in 0..<100 {
      let bytes = (0..<length).map { _ in UInt8.random(in: .min ... .max, using: &random) }
      let cut = Int.random(in: 0...length, using: &random)
      var checksum = CRC32C()
      bytes.withUnsafeBytes { all in
        checksum.add(all.part(0..<cut))
        checksum.add(all.part(cut..<length))
      }
      #expect(checksum.value == slow(bytes))
      #expect(CRC32C.of(bytes) == slow(bytes))
    }
  }

  private func slow(_ bytes: [UInt8]) -> UInt32 {
    var remainder = UInt32.max
    for byte in bytes {
      remainder ^= UInt32(byte)
      for _ in 0..<8 { remainder = remainder & 1 == 1 ? remainder >> 1 ^ 0x82F6_3B78 : remainder >> 1 }
    }
    return ~remainder
  }
}
