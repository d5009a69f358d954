import TestSupport

/// The doors of a module: its public functions, initialisers, subscripts and computed properties, read from its
/// sources.
///
/// It reads lines as the formatter leaves them, and needs no compiler: a declaration begins a line, and the line that
/// ends with a brace opens what it declares.
enum PublicDoors {
  /// The names of the doors of a module, such as `Aggregate/Aggregator.send(_:)`. Overloads of one name are one door.
  static func names(of module: String) throws -> Set<String> {
    var names: Set<String> = []
    var hidden: Set<String> = []
    for file in try SourceFiles.swiftFiles(below: "Sources/\(module)") where !file.contains(".docc/") {
      var reader = DeclarationReader(module: module)
      for line in try SourceFiles.lines(of: file) { reader.read(line) }
      names.formUnion(reader.doors)
      hidden.formUnion(reader.hiddenTypes)
    }
    return names.filter { name in !hidden.contains { name.hasPrefix("\(module)/\($0).") } }
  }
}

/// Follows the declarations of one file.
private struct DeclarationReader {
  private(set) var doors: Set<String> = []

  /// The types that are not public, whose public members are no doors.
  private(set) var hiddenTypes: Set<String> = []

  private let module: String

  /// The types that are open, each with the depth of braces inside of it.
  private var types: [(name: String, depth: Int, isProtocol: Bool)] = []

  private var depth = 0

  /// A declaration whose head goes on in the next line.
  private var head = ""

  private var isInText = false

  /// Whether the lines are those of an attribute about availability.
  private var isAttribute = false

  /// Whether the attribute before the declaration says that it cannot be used.
  private var isUnavailable = false

  init(module: String) {
    self.module = module
  }

  mutating func read(_ line: String) {
    let text = line.drop { $0 == " " }
    if text.components(separatedBy: "\"\"\"").count % 2 == 0 { isInText.toggle() }
    guard !isInText, !text.hasPrefix("//") else { return }
    if text.hasPrefix("@available("), text.hasSuffix("(") { isAttribute = true }
    if text.contains("unavailable"), text.hasPrefix("@available(") || isAttribute { isUnavailable = true }
    if isAttribute, text == ")" { isAttribute = false }
    // Requirements have no body, and are called by the library.
    let isInBody = depth > (types.last?.depth ?? 0) || types.last?.isProtocol == true
    if head.isEmpty, !isInBody, declares(text) { head = String(text) } else if !head.isEmpty { head += " " + text }
    let before = depth
    for character in text.prefix(upToComment: "//") {
      if character == "{" { depth += 1 } else if character == "}" { depth -= 1 }
    }
    if !head.isEmpty, isComplete(head, opened: depth > before || text.contains("{")) {
      close(head, opened: depth > before)
      head = ""
      isUnavailable = false
    }
    while let type = types.last, depth < type.depth { types.removeLast() }
  }

  private static let modifiers: Set<Substring> = [
    "public", "open", "package", "internal", "private", "fileprivate", "final", "static", "indirect", "nonisolated",
    "mutating", "consuming", "borrowing", "override", "convenience", "required",
  ]

  private static let keywords: Set<Substring> = [
    "struct", "class", "enum", "actor", "protocol", "extension", "func", "init", "subscript", "var",
  ]

  /// The declarations that matter: types, which have members, and members.
  private func declares(_ text: Substring) -> Bool {
    let words = text.split { !$0.isLetter && !"@_".contains($0) }
    return words.first { !$0.hasPrefix("@") && !Self.modifiers.contains($0) }.map(Self.keywords.contains) ?? false
  }

  private func isComplete(_ head: String, opened: Bool) -> Bool {
    let isBalanced = head.count { $0 == "(" } == head.count { $0 == ")" }
    let isProperty = head.contains(/\bvar \w+/) && !head.contains(/\bfunc\b|\binit\b|\bsubscript\b/)
    return isBalanced && (opened || isProperty)
  }

  private mutating func close(_ head: String, opened: Bool) {
    if let type = head.firstMatch(of: /\b(?:struct|class|enum|actor|protocol|extension) ((?:\w|\.)+)/), opened,
      !head.contains(/\b(?:func|init|subscript|var)\b/)
    {
      types.append((String(type.1), depth, head.contains(#/\bprotocol\b/#)))
      let isDeclaration = !head.contains(#/\bextension\b/#)
      if isDeclaration, !head.contains(#/\b(?:public|open)\b/#) {
        hiddenTypes.insert(types.map(\.name).joined(separator: "."))
      }
      return
    }
    guard head.contains(#/^(?:@.*? )?(?:\w+ )*?(?:public|open) /#), !isUnavailable else { return }
    guard let name = memberName(of: head, opened: opened || head.contains("{")) else { return }
    let type = types.map(\.name).joined(separator: ".")
    doors.insert("\(module)/\(type.isEmpty ? "" : type + ".")\(name)")
  }

  /// The name of a member with the labels of its parameters; `nil` for a stored property.
  private func memberName(of head: String, opened: Bool) -> String? {
    if let property = head.firstMatch(of: /\bvar (`?\w+`?)/), !head.contains(/\b(?:func|init|subscript)\b/) {
      return opened && !head.contains(" = ") ? String(property.1) : nil
    }
    guard let member = head.firstMatch(of: /\b(?:func ([^\s(<]+)|(init\??)|(subscript))/) else { return nil }
    let name = String(member.1 ?? member.2 ?? member.3 ?? "")
    let rest = head[member.range.upperBound...]
    guard let open = rest.parameters else { return nil }
    return "\(name)(\(labels(of: open).map { $0 + ":" }.joined()))"
  }

  private func labels(of parameters: Substring) -> [Substring] {
    var labels: [Substring] = []
    var depth = 0
    var start = parameters.startIndex
    var pieces: [Substring] = []
    for index in parameters.indices {
      switch parameters[index] {
      case "(", "[", "<", "{": depth += 1
      case ")", "]", "}": depth -= 1
      case ">" where index == parameters.startIndex || parameters[parameters.index(before: index)] != "-": depth -= 1
      case "," where depth == 0:
        pieces.append(parameters[start..<index])
        start = parameters.index(after: index)
      default: break
      }
    }
    pieces.append(parameters[start...])
    for piece in pieces {
      var words = piece.prefix { $0 != ":" }.split(separator: " ")
      while let first = words.first, first.hasPrefix("@") { words.removeFirst() }
      if let label = words.first { labels.append(label) }
    }
    return labels
  }
}

extension Substring {
  /// What stands between the first parenthesis outside of generic parameters and the one that closes it.
  fileprivate var parameters: Substring? {
    var angles = 0
    var depth = 0
    var start: Index?
    for index in indices {
      switch self[index] {
      case "<" where start == nil: angles += 1
      case ">" where start == nil && self[self.index(before: index)] != "-": angles -= 1
      case "(" where angles == 0 || start != nil:
        if start == nil { start = self.index(after: index) }
        depth += 1
      case ")" where start != nil:
        depth -= 1
        if depth == 0, let start { return self[start..<index] }
      default: break
      }
    }
    return nil
  }

  fileprivate func prefix(upToComment mark: String) -> Substring {
    guard let range = firstRange(of: mark) else { return self }
    return self[..<range.lowerBound]
  }

  fileprivate func components(separatedBy mark: String) -> [Substring] {
    split(separator: mark, omittingEmptySubsequences: false)
  }
}
