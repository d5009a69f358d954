import Streams

/// Returns whether two values agree, for a tool that would else name a difference, or the cause of one. They agree by
/// the one rule (``isUnchanged(_:_:)``), or if all that keeps them from being equal are parts that do not equal
/// themselves: these are asked for their text, field by field. What cannot be compared agrees by its type and its text,
/// field by field, and an object that cannot be compared with itself alone, also inside of something else.
@usableFromInline
package func isSame(_ first: Any, _ second: Any) -> Bool {
  if !(first is any Equatable), type(of: first) != type(of: second) { return false }
  return Differences(first, second, ofAllParts: false).fields.isEmpty
}

/// Describes the difference of two values, field by field, as text: `path: expected …, observed …`, one line each.
///
/// Reads the fields by reflection; two values that differ in nothing it can see are shown whole.
///
/// - Parameter subject: what the values are, for the text.
package func describeDifference(of subject: String = "state", expected: Any, observed: Any) -> String {
  var lines = Differences(expected, observed, ofAllParts: true).fields.map { field in
    let path = field.path.isEmpty ? subject : field.path
    return "  \(path): expected \(field.expected), observed \(field.observed)"
  }
  if lines.isEmpty { lines = ["  expected \(describe(expected)), observed \(describe(observed))"] }
  return "the \(subject) is not as expected:\n" + lines.joined(separator: "\n")
}

/// The fields in which two values differ. What is equal is not looked into.
private struct Differences {
  /// One field in which two values differ.
  struct Field {
    /// Empty for the value itself.
    let path: String
    let expected: String
    let observed: String
  }

  private(set) var fields: [Field] = []
  /// Is `true` if two parts were met that do not equal themselves: what holds them is not equal, and need not differ.
  private var hasMetUnequal = false
  private let looksIntoAll: Bool

  /// - Parameter looksIntoAll: whether objects are looked into, too: what they refer to may be much, and one that
  ///   cannot be compared agrees with itself alone.
  init(_ expected: Any, _ observed: Any, ofAllParts looksIntoAll: Bool) {
    self.looksIntoAll = looksIntoAll
    compare(expected, observed, path: "", depth: 0)
  }

  private mutating func compare(_ expected: Any, _ observed: Any, path: String, depth: Int) {
    let isEqual = isEqual(expected, observed)
    if isEqual == true { return }
    let hasParts = looksIntoAll || !(type(of: expected) is AnyClass)
    guard depth < 16, hasParts, let first = ReflectedParts(of: expected), let second = ReflectedParts(of: observed),
      first.kind == second.kind
    else {
      return note(expected, observed, path, isCertain: isEqual == false)
    }
    let (count, hadMetUnequal) = (fields.count, hasMetUnequal)
    hasMetUnequal = false
    let (before, after) = (first.valuesByName, second.valuesByName)
    for name in first.names + second.names.filter({ before[$0] == nil }) {
      let path = name.isEmpty ? path : path.isEmpty && name.hasPrefix(".") ? String(name.dropFirst()) : path + name
      switch (before[name], after[name]) {
      case (let expected?, let observed?): compare(expected, observed, path: path, depth: depth + 1)
      case (let expected, let observed):
        let texts = (expected.map(describe) ?? "nothing", observed.map(describe) ?? "nothing")
        fields.append(Field(path: path, expected: texts.0, observed: texts.1))
      }
    }
    if fields.count == count {
      // They differ in nothing that can be seen. Only what does not equal itself explains that they are not equal.
      let isCertain = isEqual == false && !hasMetUnequal
      if isCertain || first.isSelfDescribing(expected) { note(expected, observed, path, isCertain: isCertain) }
    }
    hasMetUnequal = hasMetUnequal || hadMetUnequal
  }

  /// Returns whether two values are equal by the one rule, or are one object; `nil` if they cannot be compared or do
  /// not equal themselves.
  private mutating func isEqual(_ expected: Any, _ observed: Any) -> Bool? {
    func compare<Value: Equatable>(_ expected: Value) -> Bool? {
      guard let observed = observed as? Value else { return false }
      let areUnequal = expected != expected && observed != observed
      if areUnequal { hasMetUnequal = true }
      return isUnchanged(expected, observed) ? true : areUnequal ? nil : false
    }
    if let expected = expected as? any Equatable { return compare(expected) }
    return looksIntoAll || !(type(of: expected) is AnyClass) ? nil : expected as AnyObject === observed as AnyObject
  }

  private mutating func note(_ expected: Any, _ observed: Any, _ path: String, isCertain: Bool) {
    let (expected, observed) = (describe(expected), describe(observed))
    if isCertain || expected != observed {
      fields.append(Field(path: path, expected: expected, observed: observed))
    }
  }
}

extension ReflectedParts {
  /// Is `true` if the value has a text of its own, which may say more than its parts. That of a collection follows from
  /// its parts, in an order that need not be the same.
  fileprivate func isSelfDescribing(_ value: Any) -> Bool {
    !["elements", "members", "optional"].contains(kind)
      && (value is any CustomStringConvertible || value is any CustomDebugStringConvertible)
  }
}
