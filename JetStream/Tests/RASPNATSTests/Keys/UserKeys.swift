import Testing

@testable import RASPNATS

struct UserKeys {
  /// The pair of the documentation of NATS.
  static let seed = "SUACSSL3UAHUDXKFSNVUZRF5UHPMWZ6BFDTJ7M6USDXIEDNPPQYYYCU3VY"
  static let publicKey = "UDXU4RCSJNZOIQHZNWXHXORDPRTGNJAHAHFRGZNEEJCPQTT2M7NLCNF4"

  @Test func aSeedHasItsPublicKey() throws {
    #expect(try UserKey(seed: Self.seed).publicKey == Self.publicKey)
  }

  @Test func aSignatureHasNoCharactersThatMustBeEscaped() throws {
    for number in 0..<20 {
      let signature = try UserKey(seed: Self.seed).signature(of: "nonce \(number)")
      #expect(signature.utf8.count == 86)
      #expect(!signature.contains { "+/=".contains($0) })
    }
  }

  @Test func anyWrongCharacterIsNoticed() throws {
    let characters = Array(Self.seed)
    for index in characters.indices {
      var wrong = characters
      wrong[index] = wrong[index] == "A" ? "B" : "A"
      #expect(throws: NATSError.self) { try UserKey(seed: String(wrong)) }
    }
    for seed in ["", "S", Self.publicKey, Self.seed.lowercased(), Self.seed + "A", String(Self.seed.dropLast())] {
      let error = #expect(throws: NATSError.self) { try UserKey(seed: seed) }
      #expect(error?.description.contains("nk -gen user") == true)
    }
  }

  @Test func checksumsAndBase32AreTheStandardOnes() {
    #expect(CRC16.checksum("123456789".utf8) == 0x31C3)
    for (text, coded) in [("", ""), ("f", "MY"), ("fo", "MZXQ"), ("foobar", "MZXW6YTBOI")] {
      #expect(Base32.encode(text.utf8) == coded)
      #expect(Base32.decode(coded.utf8) == Array(text.utf8))
    }
    #expect(Base32.decode("M".utf8) == nil)
    #expect(Base32.decode("MZ".utf8) == nil)
    #expect(Base32.decode("1".utf8) == nil)
  }
}
