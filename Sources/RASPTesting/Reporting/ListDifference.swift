import RASPSupport

/// Describes the difference of two lists as text: what is missing, what is there and was not expected, and what agrees,
/// in order.
///
///     the actions sent are not as expected (- missing, + not expected):
///         ArticlesAction.load
///       - ArticlesAction.loaded(3)
///
/// - Parameters:
///   - subject: what the lists hold, in the plural.
///   - areSame: whether two elements agree.
///   - text: an element as text.
/// - Returns: `nil` if the lists agree.
/// - Complexity: O(elements × differences).
package func describeListDifference<Element>(
  of subject: String,
  expected: [Element],
  observed: [Element],
  by areSame: (Element, Element) -> Bool = { isSame($0, $1) },
  text: (Element) -> String = { brief($0) }
) -> String? {
  let changes = observed.difference(from: expected, by: areSame)
  if changes.isEmpty { return nil }
  var missing: [Int: Element] = [:]
  var added: [Int: Element] = [:]
  for change in changes {
    switch change {
    case .remove(let offset, let element, _): missing[offset] = element
    case .insert(let offset, let element, _): added[offset] = element
    }
  }

  var lines: [String] = []
  var (left, right) = (0, 0)
  while left < expected.count || right < observed.count {
    if let element = missing[left] {
      lines.append("  - \(text(element))")
      left += 1
    } else if let element = added[right] {
      lines.append("  + \(text(element))")
      right += 1
    } else {
      lines.append("    \(text(observed[right]))")
      left += 1
      right += 1
    }
  }
  return "the \(subject) are not as expected (- missing, + not expected):\n" + lines.joined(separator: "\n")
}

/// A value in one line for a list: a case with the name of its type, which its own description lacks.
package func brief(_ value: Any) -> String {
  if value is String || value is any CustomDebugStringConvertible { return describe(value) }
  let isPlainCase = Mirror(reflecting: value).displayStyle == .enum && !(value is any CustomStringConvertible)
  return isPlainCase ? "\(type(of: value)).\(value)" : String(describing: value)
}
