/// How two values differ, field by field, as text: `path: expected …, observed …`, one line each.
///
/// Reads the fields by reflection; two values that differ in nothing it can see are shown whole.
func describeDifference(expected: Any, observed: Any) -> String {
  var lines: [String] = []
  compare(expected, observed, path: "", depth: 0, into: &lines)
  if lines.isEmpty { lines = ["  expected \(describe(expected)), observed \(describe(observed))"] }
  return "the state is not as expected:\n" + lines.joined(separator: "\n")
}

private func compare(_ expected: Any, _ observed: Any, path: String, depth: Int, into lines: inout [String]) {
  let mirrors = (Mirror(reflecting: expected), Mirror(reflecting: observed))
  let children = (Array(mirrors.0.children), Array(mirrors.1.children))
  let isComparable: Bool =
    switch mirrors.0.displayStyle {
    // Members of these have places of their own, so that they can be compared one by one.
    case .struct, .tuple, .class: children.0.count == children.1.count && !children.0.isEmpty
    case .collection: children.0.count == children.1.count && !children.0.isEmpty
    default: false
    }
  guard isComparable, mirrors.0.displayStyle == mirrors.1.displayStyle, depth < 16 else {
    let texts = (describe(expected), describe(observed))
    if texts.0 != texts.1 {
      lines.append("  \(path.isEmpty ? "state" : path): expected \(texts.0), observed \(texts.1)")
    }
    return
  }
  for (index, pair) in zip(children.0, children.1).enumerated() {
    let name = pair.0.label.map { path.isEmpty ? $0 : ".\($0)" } ?? "[\(index)]"
    compare(pair.0.value, pair.1.value, path: path + name, depth: depth + 1, into: &lines)
  }
}

private func describe(_ value: Any) -> String {
  // Dictionaries and sets print in an order of their own each time.
  switch Mirror(reflecting: value).displayStyle {
  case .dictionary, .set:
    let members = Mirror(reflecting: value).children.map { String(reflecting: $0.value) }
    return "[" + members.sorted().joined(separator: ", ") + "]"
  default:
    return String(reflecting: value)
  }
}
