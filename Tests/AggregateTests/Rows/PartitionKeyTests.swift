import Aggregate
import Testing

@Suite("Partition keys")
struct PartitionKeyTests {
  private struct Place: PartitionKey {
    let site: String
    let number: Int

    static func hash(_ key: Place, into hasher: inout PartitionHasher) {
      hasher.combine(key.site)
      hasher.combine(bytes: [UInt8(ascii: "/")].lazy.map { $0 })
      hasher.combine(key.number)
    }
  }

  private struct Sensor: RawRepresentable, PartitionKey {
    let rawValue: String
  }

  /// The whole hash, but for one value of four billions.
  private func hash(_ key: some PartitionKey) -> Int { PartitionHasher.partition(of: key, among: .max) }

  private func partition(among count: Int) -> Int { PartitionHasher.partition(of: "foobar", among: count) }

  @Test("KEY-07: the hash of a text is FNV-1a of 32 bits, as published, in every process")
  func knownHashes() {
    #expect(hash("") == 0x811c_9dc5)
    #expect(hash("a") == 0xe40c_292c)
    #expect(hash("foobar") == 0xbf9c_f968)
    #expect(hash("xfoobarx".dropFirst().dropLast()) == 0xbf9c_f968)
    #expect(hash(Sensor(rawValue: "foobar")) == 0xbf9c_f968)
    #expect(partition(among: 64) == 0xbf9c_f968 % 64)
    #expect(partition(among: 1) == 0)
    #expect(partition(among: 0) == 0)
    #expect(partition(among: -3) == 0)
  }

  private func isItsText<Number: FixedWidthInteger & PartitionKey>(_ numbers: Number...) -> Bool {
    (numbers + [.min, .max]).allSatisfy { hash($0) == hash("\($0)") }
  }

  @Test("FACE-122: the parts of a key are divided like the text that they make")
  func parts() {
    for number in [0, 7, -12, .max] {
      #expect(hash(Place(site: "boiler", number: number)) == hash("boiler/\(number)"))
    }
  }

  @Test("KEY-07: an integer of any size has the bytes of its text")
  func integers() {
    #expect(isItsText(0, 1, 9, 10, 11, 99, 100, 1_000_000_007, -1, -9, -10, -100) as Bool)
    #expect(
      isItsText(Int8(-5), 0, 100) && isItsText(Int16(-5), 10_000) && isItsText(Int32(-5), 7) && isItsText(Int64(-5))
    )
    #expect(isItsText(UInt(5), 0) && isItsText(UInt8(5), 200) && isItsText(UInt16(5), 60_000) && isItsText(UInt32(5)))
    #expect(isItsText(UInt64(5), 10_000_000_000_000_000_000))
    #expect(hash(Int.min) == hash("-9223372036854775808"))
    #expect(hash(UInt64.max) == hash("18446744073709551615"))
  }
}
