import Foundation
import RASPLogs
import TestSupport
import Testing

extension Int128: PartitionKey {}
extension UInt128: PartitionKey {}

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

  /// What a writer in another language hashes.
  private struct Bytes: PartitionKey {
    let bytes: [UInt8]

    static func hash(_ key: Bytes, into hasher: inout PartitionHasher) { hasher.combine(bytes: key.bytes) }
  }

  /// Letters in all of their forms, the composed one first: some have none of one scalar, and some scalars are never
  /// written when a text is composed.
  private static let letters = [
    ["k"], ["7"], ["-"], ["\u{DF}"], ["\u{1F6A2}"], ["\u{E9}", "e\u{301}"], ["\u{FC}", "u\u{308}"],
    ["\u{1EA5}", "\u{E2}\u{301}", "a\u{302}\u{301}"], ["\u{C5}", "\u{212B}", "A\u{30A}"], ["\u{3A9}", "\u{2126}"],
    ["\u{AC00}", "\u{1100}\u{1161}"], ["\u{AC01}", "\u{AC00}\u{11A8}", "\u{1100}\u{1161}\u{11A8}"],
    ["q\u{323}\u{307}", "q\u{307}\u{323}"], ["\u{1E69}", "\u{1E63}\u{307}", "\u{1E61}\u{323}", "s\u{307}\u{323}"],
    ["\u{915}\u{93C}", "\u{958}"], ["\u{304C}", "\u{304B}\u{3099}"],
  ]

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

  @Test("KEY-07: an integer beyond 64 bits has the bytes of its text, too")
  func wideIntegers() {
    let power = Int128(1) << 64
    #expect(isItsText(0, 7, -7, power - 1, power, power + 1, -power, 1 - power, power << 6, -(power << 6)))
    #expect(isItsText(UInt128(power) - 1, UInt128(power), UInt128(power) << 60))
  }

  @Test("LOG-24: equal keys have one hash, that of the composed form, whichever forms their letters are written in")
  func equalKeys() {
    for seed in 0..<UInt64(rounds(20_000)) {
      var random = SplitMix(seed: seed)
      let word = (0..<Int.random(in: 0...8, using: &random)).map { _ in
        Self.letters.randomElement(using: &random) ?? []
      }
      let composed = word.map { $0[0] }.joined()
      let key = word.map { $0.randomElement(using: &random) ?? "" }.joined()
      #expect(key == composed, "seed \(seed)")
      let expected = hash(Bytes(bytes: Array(composed.utf8)))
      #expect(hash(key) == expected, "seed \(seed)")
      #expect(hash("<\(key)>".dropFirst().dropLast()) == expected, "seed \(seed)")
      #expect(hash(Sensor(rawValue: key)) == expected, "seed \(seed)")
      #expect(hash(Place(site: key, number: 7)) == hash(Place(site: composed, number: 7)), "seed \(seed)")
      // What others call the composed form. Foundation on Linux leaves a part of a syllable behind the rest of it
      // alone, unless all is taken apart before.
      let others = key.decomposedStringWithCanonicalMapping.precomposedStringWithCanonicalMapping
      #expect(others.utf8.elementsEqual(composed.utf8), "seed \(seed)")
    }
  }

  @Test("LOG-24: each character and what it is made of have one hash")
  func allCharacters() {
    for value in UInt32(0x80)..<0x3_0000 {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let (key, parts) = ("\(scalar)", "\(scalar)".decomposedStringWithCanonicalMapping)
      // Foundation's tables may know fewer characters.
      if !key.utf8.elementsEqual(parts.utf8), key == parts { #expect(hash(key) == hash(parts), "\(value)") }
    }
  }
}
