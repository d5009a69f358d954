/// A sentence of NMEA 0183 whose shape and checksum are in order: `$GPRMC,094737,A,…*1F`.
struct Sentence: Equatable, Sendable {
  /// Why a line that begins like a sentence is none.
  enum Defect: String, Codable, CustomStringConvertible, Error, CaseIterable, Sendable {
    /// The address, the `*` or the two checksum digits are missing or in the wrong place, or the line is
    /// too long.
    case shape
    /// The line does not add up to the checksum it states.
    case checksum

    var description: String { rawValue }
  }

  /// Who sends and what: `GPRMC` is the recommended minimum (`RMC`) from a GPS receiver (`GP`).
  let address: String
  /// The fields after the address, in order; what a device does not know it leaves empty.
  let fields: [String]
  /// Whether the sentence carries packed binary data (`!AIVDM`) instead of fields to be read one by one.
  let isEncapsulated: Bool

  /// The three letters that say what the sentence is about (`RMC`), if it is one of the standard's own.
  ///
  /// A manufacturer's own sentence, whose address begins with `P`, has none; nor has an encapsulated one.
  var formatter: Substring? {
    guard !isEncapsulated, address.utf8.count == 5, address.first != "P" else { return nil }
    return address.dropFirst(2)
  }

  /// Whether a line that begins with `byte` claims to be a sentence.
  static func isStart(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "$") || byte == UInt8(ascii: "!")
  }

  /// Reads a line that begins with `$` or `!`, and verifies its checksum.
  ///
  /// A checksum is required: without one, damage cannot be told from data. White space after it is tolerated.
  init(_ line: [UInt8]) throws(Defect) {
    guard let start = line.first, Self.isStart(start) else { throw .shape }
    var end = line.endIndex
    while let last = line[..<end].last, last == UInt8(ascii: " ") || last == UInt8(ascii: "\t") { end -= 1 }

    guard
      let star = line[..<end].firstIndex(of: UInt8(ascii: "*")),
      end - star == 3,
      let high = Self.hexadecimalDigit(line[star + 1]),
      let low = Self.hexadecimalDigit(line[star + 2])
    else { throw .shape }

    let body = line[1..<star]
    // A zero does not change the checksum, and no sentence has a control character.
    guard body.allSatisfy({ $0 >= 0x20 }) else { throw .shape }
    let addressBytes = body.prefix { $0 != UInt8(ascii: ",") }
    guard !addressBytes.isEmpty, addressBytes.allSatisfy(Self.isAddressCharacter) else { throw .shape }
    guard Self.checksum(of: body) == high << 4 | low else { throw .checksum }

    address = String(decoding: addressBytes, as: UTF8.self)
    let rest = body.dropFirst(addressBytes.count)
    fields =
      rest.isEmpty
      ? []
      : rest.dropFirst().split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
        .map { String(decoding: $0, as: UTF8.self) }
    isEncapsulated = start == UInt8(ascii: "!")
  }

  /// The exclusive or of everything between the start and the `*`.
  static func checksum(of body: some Sequence<UInt8>) -> UInt8 {
    body.reduce(0, ^)
  }

  private static func isAddressCharacter(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
    default: false
    }
  }

  private static func hexadecimalDigit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    default: nil
    }
  }
}
