/// Describes the difference of two values, field by field, as text: `path: expected …, observed …`, one line each.
///
/// Reads the fields by reflection; two values that differ in nothing it can see are shown whole.
///
/// - Parameter subject: what the values are, for the text.
func describeDifference(of subject: String = "state", expected: Any, observed: Any) -> String {
  var differences: [Difference] = []
  compare(expected, observed, path: "", depth: 0, into: &differences)
  var lines = differences.map { difference in
    let path = difference.path.isEmpty ? subject : difference.path
    return "  \(path): expected \(difference.expected), observed \(difference.observed)"
  }
  if lines.isEmpty { lines = ["  expected \(describe(expected)), observed \(describe(observed))"] }
  return "the \(subject) is not as expected:\n" + lines.joined(separator: "\n")
}

/// One field in which two values differ.
private struct Difference {
  /// Empty for the value itself.
  let path: String
  let expected: String
  let observed: String
}

private func compare(
  _ expected: Any,
  _ observed: Any,
  path: String,
  depth: Int,
  into differences: inout [Difference]
) {
  let parts = (Parts(of: expected), Parts(of: observed))
  guard depth < 16, let first = parts.0, let second = parts.1, first.kind == second.kind else {
    note(describe(expected), describe(observed), path, &differences)
    return
  }
  for name in first.names + second.names.filter({ first.values[$0] == nil }) {
    let path = name.isEmpty ? path : path.isEmpty && name.hasPrefix(".") ? String(name.dropFirst()) : path + name
    switch (first.values[name], second.values[name]) {
    case (let expected?, let observed?): compare(expected, observed, path: path, depth: depth + 1, into: &differences)
    case (let expected, let observed):
      note(expected.map(describe) ?? "nothing", observed.map(describe) ?? "nothing", path, &differences)
    }
  }
}

private func note(_ expected: String, _ observed: String, _ path: String, _ differences: inout [Difference]) {
  if expected != observed { differences.append(Difference(path: path, expected: expected, observed: observed)) }
}

/// The parts of a value, by name. Parts of two values are compared if the values are of one kind.
private struct Parts {
  let kind: String
  /// The names, as they are written behind the path of the value: `.field`, `[0]`, `["key"]`, nothing for the part of
  /// an optional.
  private(set) var names: [String] = []
  private(set) var values: [String: Any] = [:]

  /// `nil` for what is compared as a whole.
  init?(of value: Any) {
    let mirror = Mirror(reflecting: value)
    switch mirror.displayStyle {
    case .struct, .class, .tuple:
      kind = "fields"
      for child in mirror.children { add("." + (child.label.map { String($0.drop { $0 == "." }) } ?? ""), child.value) }
    case .optional:
      kind = "optional"
      for child in mirror.children { add("", child.value) }
    case .enum:
      // Two values of one case are compared by what they carry.
      guard let child = mirror.children.first, let name = child.label else { return nil }
      kind = "case \(name)"
      add(".\(name)", child.value)
    case .collection:
      kind = "elements"
      for (index, child) in mirror.children.enumerated() { add("[\(index)]", child.value) }
    case .dictionary:
      kind = "members"
      for child in mirror.children {
        let pair = Mirror(reflecting: child.value).children.map(\.value)
        if pair.count == 2 { add("[\(String(reflecting: pair[0]))]", pair[1]) }
      }
      names.sort()
    default: return nil
    }
    // Of an empty collection all that the other one has is missing; anything else without parts is a whole.
    if names.isEmpty, mirror.displayStyle != .collection, mirror.displayStyle != .dictionary { return nil }
  }

  private mutating func add(_ name: String, _ value: Any) {
    names.append(name)
    values[name] = value
  }
}

/// A value as text, the same text for equal sets.
func describe(_ value: Any) -> String {
  // A set prints in an order of its own each time.
  guard case .set = Mirror(reflecting: value).displayStyle else { return String(reflecting: value) }
  let members = Mirror(reflecting: value).children.map { String(reflecting: $0.value) }
  return "[" + members.sorted().joined(separator: ", ") + "]"
}
