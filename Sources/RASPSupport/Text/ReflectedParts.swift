/// The parts of a value, by name, as reflection shows them. Parts of two values are compared if the values are of one
/// kind.
package struct ReflectedParts {
  /// The kind: fields, elements, members, or the case of an enum.
  package let kind: String
  /// The names, as they are written behind the path of the value: `.field`, `[0]`, `["key"]`, nothing for the part of
  /// an optional.
  package private(set) var names: [String] = []
  /// The parts, in the order of the names.
  package private(set) var values: [Any] = []

  /// Reads the parts of a value; `nil` for what is compared as a whole.
  package init?(of value: Any) {
    self.init(of: value, Mirror(reflecting: value), most: .max)
  }

  /// - Parameter count: how many parts are read at most. Those of a dictionary have no order of their own, so all are.
  package init?(of value: Any, _ mirror: Mirror, most count: Int) {
    // Not a prefix of the children, which would be a collection of another type around theirs.
    var left = count
    func isWanted() -> Bool {
      left -= 1
      return left >= 0
    }
    switch mirror.displayStyle {
    case .struct, .class, .tuple:
      kind = "fields"
      for child in mirror.children where isWanted() {
        add("." + (child.label.map { String($0.drop { $0 == "." }) } ?? ""), child.value)
      }
    case .optional:
      kind = "optional"
      for child in mirror.children where isWanted() { add("", child.value) }
    case .enum:
      // Two values of one case are compared by what they carry.
      guard let child = mirror.children.first, let name = child.label else { return nil }
      kind = "case \(name)"
      add(".\(name)", child.value)
    case .collection:
      kind = "elements"
      for (index, child) in mirror.children.enumerated() {
        guard isWanted() else { break }
        add("[\(index)]", child.value)
      }
    case .dictionary:
      kind = "members"
      addMembers(of: mirror)
    default: return nil
    }
    // Of an empty collection all that the other one has is missing; anything else without parts is a whole.
    if names.isEmpty, mirror.displayStyle != .collection, mirror.displayStyle != .dictionary { return nil }
  }

  /// A dictionary has another order in each process.
  private mutating func addMembers(of mirror: Mirror) {
    var members: [(name: String, value: Any)] = []
    for child in mirror.children {
      let pair = Mirror(reflecting: child.value).children.map(\.value)
      if pair.count == 2 { members.append(("[\(describe(pair[0]))]", pair[1])) }
    }
    members.sort { $0.name < $1.name }
    for member in members { add(member.name, member.value) }
  }

  /// The parts by their names.
  package var valuesByName: [String: Any] {
    Dictionary(zip(names, values)) { _, last in last }
  }

  private mutating func add(_ name: String, _ value: Any) {
    names.append(name)
    values.append(value)
  }
}

/// Returns a value as text, the same text for equal sets.
package func describe(_ value: Any) -> String {
  // A set prints in an order of its own each time.
  guard case .set = Mirror(reflecting: value).displayStyle else { return String(reflecting: value) }
  let members = Mirror(reflecting: value).children.map { describe($0.value) }
  return "[" + members.sorted().joined(separator: ", ") + "]"
}
