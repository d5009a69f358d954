/// What a JSON text must be before a coder reads it.
enum JSONText: Error, CustomStringConvertible {
  case tooDeep
  case notUTF8
  case notFinite

  /// How deep arrays and objects may be nested. What reads them calls itself for each, on the stack of a thread that
  /// may be small.
  static let limit = 128

  static func check(_ json: UnsafeRawBufferPointer) throws(JSONText) {
    var depth = 0
    var isText = false
    var isEscaped = false
    for byte in json {
      // Coders also read UTF-16 and UTF-32, where this walk would not see what they see. Both have zero bytes.
      if byte == 0 { throw .notUTF8 }
      if isText {
        if isEscaped {
          isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
          isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
          isText = false
        }
      } else {
        switch byte {
        case UInt8(ascii: "\""): isText = true
        case UInt8(ascii: "["), UInt8(ascii: "{"):
          depth &+= 1
          if depth > limit { throw .tooDeep }
        case UInt8(ascii: "]"), UInt8(ascii: "}"): depth &-= 1
        // `NaN` and `Infinity`, which some coders write and none reads. No word of JSON has these letters.
        case UInt8(ascii: "N"), UInt8(ascii: "I"): throw .notFinite
        default: break
        }
      }
    }
  }

  var description: String {
    switch self {
    case .tooDeep:
      "arrays and objects are nested more than \(Self.limit) deep. Make the type flatter, or write its coding by hand."
    case .notUTF8: "the text is no JSON in UTF-8."
    case .notFinite:
      """
      JSON has no number that is not finite, such as `Decimal.nan`. Use an optional or a `Double`, or write the coding by \
      hand.
      """
    }
  }
}
