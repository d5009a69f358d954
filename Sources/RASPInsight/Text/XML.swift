extension String {
  /// As the content of an element or of an attribute of XML: with escapes, and with `�` for what XML cannot hold.
  var xml: String {
    if utf8.allSatisfy(\.isPlain) { return self }
    var text = ""
    for scalar in unicodeScalars {
      switch scalar {
      case "&": text += "&amp;"
      case "<": text += "&lt;"
      case ">": text += "&gt;"
      case "\"": text += "&quot;"
      case "'": text += "&#39;"
      case "\n", "\t": text.unicodeScalars.append(scalar)
      case "\u{0}"..<"\u{20}", "\u{7F}"..<"\u{A0}", "\u{FFFE}", "\u{FFFF}": text += "\u{FFFD}"
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text
  }
}

extension UInt8 {
  /// Whether a byte of UTF-8 is written as it is, and belongs to no scalar that is not.
  fileprivate var isPlain: Bool {
    self >= 0x20 && self < 0x7F && self != 0x22 && self != 0x26 && self != 0x27 && self != 0x3C && self != 0x3E
  }
}
