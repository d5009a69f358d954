import RASPSupport

/// Describes the difference of two values, field by field, as text: `path: expected …, observed …`, one line each.
///
/// Reads the fields by reflection; two values that differ in nothing it can see are shown whole.
///
/// - Parameter subject: what the values are, for the text.
package func describeDifference(of subject: String = "state", expected: Any, observed: Any) -> String {
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
  let parts = (ReflectedParts(of: expected), ReflectedParts(of: observed))
  guard depth < 16, let first = parts.0, let second = parts.1, first.kind == second.kind else {
    note(describe(expected), describe(observed), path, &differences)
    return
  }
  let (before, after) = (first.valuesByName, second.valuesByName)
  for name in first.names + second.names.filter({ before[$0] == nil }) {
    let path = name.isEmpty ? path : path.isEmpty && name.hasPrefix(".") ? String(name.dropFirst()) : path + name
    switch (before[name], after[name]) {
    case (let expected?, let observed?): compare(expected, observed, path: path, depth: depth + 1, into: &differences)
    case (let expected, let observed):
      note(expected.map(describe) ?? "nothing", observed.map(describe) ?? "nothing", path, &differences)
    }
  }
}

private func note(_ expected: String, _ observed: String, _ path: String, _ differences: inout [Difference]) {
  if expected != observed { differences.append(Difference(path: path, expected: expected, observed: observed)) }
}
