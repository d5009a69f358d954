/// A value of JSON whose members keep their order, so that a person finds what matters first.
///
/// Foundation's coders write members in alphabetical order or in none, and a whole number of metres as `5`, where a
/// reader that goes by types wants `5.0` each time.
package enum JSON: Equatable, Sendable {
  case null
  case integer(Int64)
  case number(Double)
  case string(String)
  case array([JSON])
  case object([Member])

  package struct Member: Equatable, Sendable {
    package var key: String
    package var value: JSON

    package init(key: String, value: JSON) {
      self.key = key
      self.value = value
    }
  }

  package static func object(_ members: KeyValuePairs<String, JSON>) -> JSON {
    .object(members.map { Member(key: $0.key, value: $0.value) })
  }

  package static func string(_ value: String?) -> JSON {
    value.map { .string($0) } ?? .null
  }

  /// On one line, as the content of a `<script>` element too: see ``append(quoted:to:)``.
  ///
  /// JSON has no word for the numbers that are not finite; they are the strings `"NaN"`, `"Infinity"`, `"-Infinity"`.
  package var text: String {
    var text = ""
    append(to: &text)
    return text
  }

  /// Appends the value to a text.
  package func append(to text: inout String) {
    switch self {
    case .null: text += "null"
    case .integer(let value): text += String(value)
    case .number(let value):
      if value.isFinite {
        text += String(describing: value)
      } else {
        text += value.isNaN ? #""NaN""# : value < 0 ? #""-Infinity""# : #""Infinity""#
      }
    case .string(let value): Self.append(quoted: value, to: &text)
    case .array(let elements):
      text += "["
      for (index, element) in elements.enumerated() {
        if index > 0 { text += "," }
        element.append(to: &text)
      }
      text += "]"
    case .object(let members):
      text += "{"
      for (index, member) in members.enumerated() {
        if index > 0 { text += "," }
        Self.append(quoted: member.key, to: &text)
        text += ":"
        member.value.append(to: &text)
      }
      text += "}"
    }
  }

  /// Appends a string in quotation marks.
  ///
  /// `<` is written as an escape, so that neither `</script>` nor `<!--` can be in the text, and so are the two ends of
  /// a line that JSON allows and older JavaScript does not.
  package static func append(quoted string: String, to text: inout String) {
    text += "\""
    if string.utf8.allSatisfy(\.isPlain) {
      text += string
    } else {
      for scalar in string.unicodeScalars {
        switch scalar {
        case "\"": text += "\\\""
        case "\\": text += "\\\\"
        case "<", "\u{0}"..<"\u{20}", "\u{7F}", "\u{2028}", "\u{2029}":
          let digits = String(scalar.value, radix: 16)
          text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        default: text.unicodeScalars.append(scalar)
        }
      }
    }
    text += "\""
  }
}

/// Objects, strings and integers are written as literals.
extension JSON: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByDictionaryLiteral {
  package init(stringLiteral value: String) { self = .string(value) }
  package init(integerLiteral value: Int64) { self = .integer(value) }
  package init(dictionaryLiteral elements: (String, JSON)...) {
    self = .object(elements.map { Member(key: $0.0, value: $0.1) })
  }
}

extension UInt8 {
  /// Whether a byte of UTF-8 is written as it is, and belongs to no scalar that is not. `E2` starts U+2028 and U+2029.
  fileprivate var isPlain: Bool {
    self >= 0x20 && self != 0x22 && self != 0x3C && self != 0x5C && self != 0x7F && self != 0xE2
  }
}
