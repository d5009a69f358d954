/// A sentence of NMEA 0183 whose shape and checksum are in order: `$GPRMC,094737,A,…*1F`.
struct Sentence: Equatable, Sendable {
  /// Who sends and what: `GPRMC` is the recommended minimum (`RMC`) from a GPS receiver (`GP`).
  let address: String
  /// The fields after the address, in order; what a device does not know it leaves empty.
  let fields: [String]
  /// The three letters that say what the sentence is about (`RMC`), if it is one of the standard's own.
  ///
  /// A manufacturer's own sentence, whose address begins with `P`, has none.
  var formatter: Substring? {
    guard address.utf8.count == 5, address.first != "P" else { return nil }
    return address.dropFirst(2)
  }

  /// Whether a line that begins with `byte` claims to be a sentence.
  static func isStart(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "$") || byte == UInt8(ascii: "!") }

  /// Reads a line that begins with `$` or `!`, and verifies its checksum; `nil` if it does not hold, or a part is
  /// missing or in the wrong place.
  ///
  /// A checksum is required: without one, damage cannot be told from data. White space after it is tolerated.
  init?(_ line: [UInt8]) {
    guard let start = line.first, Self.isStart(start), line.count <= LineFramer.longestLine else { return nil }
    var end = line.endIndex
    while let last = line[..<end].last, last == UInt8(ascii: " ") || last == UInt8(ascii: "\t") { end -= 1 }
    guard
      let star = line[..<end].firstIndex(of: UInt8(ascii: "*")), end - star == 3,
      let stated = Self.hexadecimal(line[star + 1..<end])
    else { return nil }

    let body = line[1..<star]
    // A zero does not change the checksum, and no sentence has a control character.
    guard body.allSatisfy({ $0 >= 0x20 }) else { return nil }
    let addressBytes = body.prefix { $0 != UInt8(ascii: ",") }
    // Letters and digits.
    guard !addressBytes.isEmpty, addressBytes.allSatisfy({ (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) })
    else { return nil }
    guard Self.checksum(of: body) == stated else { return nil }

    address = String(decoding: addressBytes, as: UTF8.self)
    let texts = body.dropFirst(addressBytes.count).split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
    // In front of the first comma there is nothing.
    fields = texts.dropFirst().map { String(decoding: $0, as: UTF8.self) }
  }

  /// The exclusive or of everything between the start and the `*`.
  static func checksum(of body: some Sequence<UInt8>) -> UInt8 { body.reduce(0, ^) }

  /// Two digits. An integer by itself also takes a sign, which comes before all digits in ASCII.
  private static func hexadecimal(_ digits: ArraySlice<UInt8>) -> UInt8? {
    digits.contains { $0 < UInt8(ascii: "0") } ? nil : UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
  }
}
