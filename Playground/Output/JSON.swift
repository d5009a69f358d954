/// A value of JSON whose members keep their order, so that a person finds what matters first.
///
/// Foundation's coders write members in alphabetical order or in none, and a whole number of metres as `5`, where a
/// reader that goes by types wants `5.0` each time.
enum JSON: Equatable, Sendable {
  case null
  case integer(Int)
  case number(Double)
  case string(String)
  case array([JSON])
  case object([Member])

  struct Member: Equatable, Sendable {
    var key: String
    var value: JSON
  }

  static func object(_ members: KeyValuePairs<String, JSON>) -> JSON {
    .object(members.map { Member(key: $0.key, value: $0.value) })
  }

  /// A number rounded to so many decimals; what JSON cannot express (infinities, not a number) is null.
  static func number(_ value: Double?, decimals: Int) -> JSON {
    guard let value, value.isFinite else { return .null }
    return .number(value.rounded(decimals: decimals))
  }

  static func string(_ value: String?) -> JSON {
    value.map { .string($0) } ?? .null
  }

  /// On one line.
  var text: String {
    switch self {
    case .null: "null"
    case .integer(let value): String(value)
    case .number(let value): value.isFinite ? String(describing: value) : "null"
    case .string(let value): Self.quoted(value)
    case .array(let elements): "[" + elements.map(\.text).joined(separator: ",") + "]"
    case .object(let members):
      "{" + members.map { Self.quoted($0.key) + ":" + $0.value.text }.joined(separator: ",") + "}"
    }
  }

  private static func quoted(_ string: String) -> String {
    var text = "\""
    for scalar in string.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\u{0}"..<"\u{20}":
        let digits = String(scalar.value, radix: 16)
        text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text + "\""
  }
}
