/// The name that a type has in files unless its coding was given one. The rule stands in the article about the format,
/// and does not change.
///
/// - A type has the names of the types around it and its own, with points between. Modules, functions and files are not
///   part of it, and an extension counts as the type that it extends: `GeoState.Event`.
/// - Behind the name of a generic type are the names of its arguments: `Outer<Int>.Inner`, `Dictionary<String, Int>`.
/// - A tuple has the names of its elements, with their labels: `(Int, last: String)`.
enum TypeName {
  static func of(_ type: Any.Type) -> String {
    var spelling = TypeSpelling(String(reflecting: type))
    let name = spelling.readType()
    // A function, for which there is no rule.
    return spelling.isAtEnd ? name : String(describing: type)
  }
}

/// How the compiler spells a type, which is where its parts are found: `Module.Outer<Swift.Int>.Inner`,
/// `Module.(unknown context at $1234).Hidden` where it is private or local, and
/// `(extension in Module):Swift.String.Nested`.
private struct TypeSpelling {
  private var rest: Substring

  init(_ text: String) { rest = text[...] }

  var isAtEnd: Bool { rest.isEmpty }

  mutating func readType() -> String {
    _ = take("any ")
    var name: String
    if rest.hasPrefix("("), !rest.hasPrefix("(extension in ") {
      _ = take("(")
      name = "(" + readTypes(before: ")") + ")"
    } else {
      name = readPath()
    }
    while take(" & ") { name += " & " + readPath() }
    return name
  }

  private mutating func readPath() -> String {
    if take("(extension in ") { _ = readText(upTo: ":") }
    var components: [String] = []
    repeat {
      if take("(") {
        // What is here differs from process to process, but for a name before ` in `.
        let context = readText(upTo: ")")
        if !context.hasPrefix("unknown context") { components.append(String(context.prefix { $0 != " " })) }
      } else {
        components.append(readWord())
      }
      if take("<") { components[components.count - 1] += "<" + readTypes(before: ">") + ">" }
    } while take(".")
    // A word alone has no module: `Any`, or the number among the arguments of a generic type.
    if components.count > 1 { components.removeFirst() }
    return components.joined(separator: ".")
  }

  private mutating func readTypes(before end: String) -> String {
    var names: [String] = []
    if take(end) { return "" }
    repeat {
      if take("Pack{") {
        let pack = readTypes(before: "}")
        if !pack.isEmpty { names.append(pack) }
      } else {
        names.append(readLabel() + readType())
      }
    } while take(", ")
    _ = take(end)
    return names.joined(separator: ", ")
  }

  private mutating func readLabel() -> String {
    let before = rest
    let label = readWord()
    if take(": ") { return label + ": " }
    rest = before
    return ""
  }

  /// A name, in quotes if it has other characters than letters and digits.
  private mutating func readWord() -> String {
    if take("`") { return "`" + readText(upTo: "`") + "`" }
    let word = rest.prefix { !".<>,(){} :".contains($0) }
    rest.removeFirst(word.count)
    return String(word)
  }

  private mutating func readText(upTo end: Character) -> Substring {
    let text = rest.prefix { $0 != end }
    rest = rest.dropFirst(text.count + 1)
    return text
  }

  private mutating func take(_ text: String) -> Bool {
    guard rest.hasPrefix(text) else { return false }
    rest.removeFirst(text.count)
    return true
  }
}
