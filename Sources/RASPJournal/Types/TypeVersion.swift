/// A type in one of its versions, as it is named beside the bytes of a value.
public struct TypeVersion: Hashable, Sendable {
  /// The name of the type.
  public var name: String

  /// The version.
  public var version: Int

  /// Names a version of a type.
  public init(name: String, version: Int) {
    self.name = name
    self.version = version
  }
}

extension TypeVersion {
  /// An event that had no bytes: the text says why. It becomes no event.
  static let unwritable = TypeVersion(name: "(unwritable)", version: 1)

  /// - Parameter name: that in the file, if it is another one.
  @usableFromInline
  init(of type: Any.Type, named name: String?, version: Int) {
    self.init(name: name ?? TypeName.of(type), version: version)
  }
}

/// The name of a type in a file: as it is written in its module, such as `GeoState.Event` or `Box<Reading>`.
enum TypeName {
  static func of(_ type: Any.Type) -> String {
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
