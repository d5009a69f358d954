import Testing

@testable import Playground

@Suite("The shape of a sentence")
struct SentenceTests {
  private static let example = line("GPGLL,5130.5000,N,00430.2500,E,120000,A,A")

  @Test("a sentence comes apart into its address and its fields")
  func parts() throws {
    let depth = try sentence("SDDPT,5.3,,")
    #expect(depth.address == "SDDPT")
    #expect(depth.formatter == "DPT")
    #expect(depth.fields == ["5.3", "", ""])
    #expect(try sentence("GPAAM").fields.isEmpty)
  }

  @Test("the digits of the checksum may be small letters, and white space may follow")
  func checksumForms() throws {
    let example = Array("$GPGLL,,,,,,V,N*64".utf8)
    #expect(Sentence(example) != nil && Sentence(example) == Sentence(example + Array(" \t".utf8)))
    let body = "IIMWV,,,,,z"
    let digits = String(Sentence.checksum(of: body.utf8), radix: 16)
    #expect(Sentence(Array("$\(body)*\(digits)".utf8)) != nil)
  }

  @Test("a line with a wrong checksum is no sentence")
  func wrongChecksum() {
    var damaged = Self.example
    damaged[8] ^= 1
    #expect(Sentence(damaged) == nil)
  }

  @Test(
    "a line that lacks a part is no sentence",
    arguments: [
      "", "$", "!", "$*00", "$,*2C", "$GPGLL", "$GPGLL,1,2", "$GPGLL*", "$GPGLL*5", "$GPGLL*50x", "$GPGLL*5G",
      "$GPGLL*G5", "$gpgll*50", "$GP GL*00", "$GPGLL*50*50", "GPGLL*50", " $GPGLL*50", "$\u{0}*00",
      "$GPGLL*+5",
    ]
  )
  func badShape(line: String) {
    #expect(Sentence(Array(line.utf8)) == nil)
  }

  @Test("a sentence cut off at any byte is no sentence")
  func truncation() {
    for count in 0..<Self.example.count {
      #expect(Sentence(Array(Self.example.prefix(count))) == nil)
    }
    #expect(Sentence(Self.example) != nil)
  }

  @Test("a sentence with any one bit flipped is no sentence, or another one of the same sum")
  func bitFlips() {
    for index in 1..<Self.example.count - 3 {
      for bit in 0..<8 {
        var damaged = Self.example
        damaged[index] ^= 1 << UInt8(bit)
        #expect(Sentence(damaged) == nil)
      }
    }
  }

  @Test("manufacturers' sentences have no standard formatter")
  func noFormatter() throws {
    #expect(try sentence("PSRMC,1").formatter == nil)
    #expect(try sentence("PUBX,00").formatter == nil)
  }

  @Test("a line that is too long is no sentence")
  func tooLong() {
    #expect(Sentence(line("GPTXT," + String(repeating: "x", count: 1_100))) == nil)
  }

  @Test("bytes that are no text do not disturb")
  func notText() throws {
    var bytes = line("GPTXT,")
    bytes.insert(contentsOf: [0xFF, 0xFE, 0x80, 0x81], at: 7)
    // FF ^ FE ^ 80 ^ 81 is 0, so the checksum still holds.
    #expect(Sentence(bytes)?.address == "GPTXT")
  }
}
