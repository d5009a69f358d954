extension TypeName {
  /// The name that versions before the rule have written, which followed the compiler's spelling more closely. Files
  /// with it are read. It differs for a type inside a generic one, `Outer<Int>Inner`, and for one in an extension of a
  /// type of another module, `(extension in Module)String.Inner`.
  static func former(_ type: Any.Type) -> String {
    var name = ""
    var word = ""
    var path: [String] = []
    var context = 0

    func endPath() {
      path.append(word)
      word = ""
      // The first word is the module. A word alone is a keyword, such as `any`.
      name += path.count > 1 ? path.dropFirst().joined(separator: ".") : path[0]
      path = []
    }

    // `Module.Outer.(unknown context at $1234).Inner<Module.Other>`: what is in parentheses differs from process to
    // process, and stands only where a type is private or local.
    for character in String(reflecting: type) {
      switch character {
      case "(" where word.isEmpty && !path.isEmpty: context += 1
      case ")" where context > 0:
        context -= 1
        word = ""
      case _ where context > 0: break
      case ".":
        if !word.isEmpty { path.append(word) }
        word = ""
      case "<", ">", ",", " ", "(", ")", "[", "]", "?", "&", "-":
        endPath()
        name.append(character)
      default: word.append(character)
      }
    }
    endPath()
    return name
  }
}
