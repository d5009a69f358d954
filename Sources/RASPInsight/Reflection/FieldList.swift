import RASPSupport

/// The fields of a state as a flat list of texts, for a ``Timeline``: what is drawn of a state, and what two states
/// differ in.
///
/// The list is the same for equal states, in each process: members of sets and dictionaries are sorted.
package struct FieldList: Sendable, Equatable {
  /// What a list holds at most, so that a large state, or one that refers to itself, makes no endless list.
  package struct Limits: Sendable {
    /// The number of steps of a path. What lies deeper is one text, of 100 parts at most.
    package var depth: Int
    /// The number of characters of a text that is drawn. Two texts are compared as a whole.
    package var length: Int
    /// The number of fields. What comes behind them is not drawn. A set or a dictionary of more members is drawn as
    /// their number, because all of them would have to be put in order first.
    package var count: Int

    package init(depth: Int = 8, length: Int = 200, count: Int = 2_000) {
      self.depth = depth
      self.length = length
      self.count = count
    }
  }

  private let limits: Limits
  private var paths: [String] = []
  private var texts: [String] = []
  /// Is `true` if two paths may be the same.
  private var mayRepeat = false
  /// Is `true` for a list that becomes one text of another one.
  private var isInner = false

  /// Reads the fields of a state.
  ///
  /// - Parameter path: the way to the state, if it is a part of another one.
  /// - Complexity: O(fields), by reflection: tens of microseconds for a state of twenty fields.
  package init(of state: Any, at path: String = "", limits: Limits = Limits()) {
    self.limits = limits
    add(state, at: path, depth: path.isEmpty ? 0 : 1)
    if paths.count > limits.count {
      paths.removeLast()
      texts.removeLast()
    }
    if mayRepeat { makeUnique() }
  }

  /// The list of what is not there.
  package init() {
    limits = Limits()
  }

  /// The fields, in the order in which the state declares them.
  package var fields: [Timeline.Field] {
    paths.indices.map { Timeline.Field(path: paths[$0], value: clipped(texts[$0])) }
  }

  /// What has changed from this state to a newer one: what is gone or has another value, then what is new.
  package func changes(to newer: FieldList) -> [Timeline.Change] {
    if paths == newer.paths {
      return paths.indices.lazy.filter { texts[$0] != newer.texts[$0] }
        .map { change(paths[$0], texts[$0], newer.texts[$0]) }
    }
    // The paths are not repeated, as far as is known. Names are those of the user, so nothing is left to that.
    let before = Dictionary(zip(paths, texts)) { first, _ in first }
    let after = Dictionary(zip(newer.paths, newer.texts)) { first, _ in first }
    let changed = paths.indices.lazy.filter { after[paths[$0]] != texts[$0] }
      .map { change(paths[$0], texts[$0], after[paths[$0]]) }
    let added = newer.paths.indices.lazy.filter { before[newer.paths[$0]] == nil }
      .map { change(newer.paths[$0], nil, newer.texts[$0]) }
    return Array(changed) + Array(added)
  }

  package static func == (left: FieldList, right: FieldList) -> Bool {
    left.paths == right.paths && left.texts == right.texts
  }

  private func change(_ path: String, _ old: String?, _ new: String?) -> Timeline.Change {
    Timeline.Change(path: path, old: old.map(clipped), new: new.map(clipped))
  }

  private func clipped(_ text: String) -> String {
    text.clipped(to: limits.length)
  }

  private mutating func add(_ value: Any, at path: String, depth: Int) {
    guard paths.count <= limits.count else { return }
    if depth > 0, let text = plainDebugText(of: value) {
      paths.append(path)
      texts.append(text)
      return
    }
    let mirror = Mirror(reflecting: value)
    if mirror.hasNoOrder, mirror.children.count > limits.count {
      paths.append(path)
      texts.append("\(mirror.children.count) members")
    } else if depth == 0 || !isWhole(value, mirror.displayStyle),
      let parts = ReflectedParts(of: value, mirror, most: limits.count + 1), !parts.names.isEmpty
    {
      if depth >= limits.depth {
        paths.append(path)
        texts.append(deepText(of: value))
      } else {
        if parts.mayRepeat(in: value) { mayRepeat = true }
        for (name, part) in zip(parts.names, parts.values) { add(part, at: path + name, depth: depth + 1) }
      }
    } else {
      paths.append(path)
      texts.append(shortText(of: value, mirror))
    }
  }

  /// What lies below the last step of a path. The text of the standard library would have all of it.
  private func deepText(of value: Any) -> String {
    if isInner { return "\(type(of: value))" }
    var inner = FieldList(inside: Limits(depth: 8, length: limits.length, count: min(100, limits.count)))
    inner.add(value, at: "", depth: 0)
    return zip(inner.paths, inner.texts).map { "\($0)=\($1)" }.joined(separator: ", ")
  }

  private init(inside limits: Limits) {
    self.limits = limits
    isInner = true
  }

  /// Two keys of a dictionary may have one text, and so may two names of a value that describes itself.
  private mutating func makeUnique() {
    var seen = Set<String>(minimumCapacity: paths.count)
    for index in paths.indices {
      var (path, number) = (paths[index], 1)
      while !seen.insert(path).inserted {
        number += 1
        path = "\(paths[index])#\(number)"
      }
      paths[index] = path
    }
  }
}

extension Mirror {
  /// Is `true` for a set or a dictionary.
  fileprivate var hasNoOrder: Bool { displayStyle == .set || displayStyle == .dictionary }
}

extension ReflectedParts {
  /// Returns whether two of the names may be the same: those of keys, and those that a value gives itself.
  fileprivate func mayRepeat(in value: Any) -> Bool {
    switch kind {
    case "members": true
    case "fields": value is any CustomReflectable
    default: names.count > 1 && kind == "optional"
    }
  }
}

/// Returns whether a value is drawn by its own text and not by its fields: a structure or a class of the standard
/// library or of Foundation, such as a duration, a range or a date. Its fields are internal.
private func isWhole(_ value: Any, _ style: Mirror.DisplayStyle?) -> Bool {
  guard style == .struct || style == .class else { return false }
  let traits = TypeTraits.of(value)
  return traits.isOfSystem && value is any CustomStringConvertible
}

/// Returns a value without fields as a short text: a case without its type, strings in quotation marks.
private func shortText(of value: Any, _ mirror: Mirror) -> String {
  switch mirror.displayStyle {
  case .enum where !(value is any CustomStringConvertible || value is any CustomDebugStringConvertible):
    return ".\(value)"
  case .set: return describe(value)
  case .dictionary:
    guard let parts = ReflectedParts(of: value), !parts.names.isEmpty else { return "[:]" }
    return zip(parts.names, parts.values).map { "\($0): \(describe($1))" }.joined(separator: ", ")
  case nil, .struct: return value is any CustomDebugStringConvertible ? String(reflecting: value) : "\(value)"
  default: return "\(value)"
  }
}

/// Returns the debug text of a value of the most frequent types; `nil` for all others. Reflection takes many times as
/// long. A cast asks the runtime, so it comes behind a comparison of types.
func plainDebugText(of value: Any) -> String? {
  let type = type(of: value)
  if type == Int.self { return (value as? Int)?.description }
  if type == Double.self { return (value as? Double)?.debugDescription }
  if type == String.self { return (value as? String)?.debugDescription }
  if type == Bool.self { return (value as? Bool)?.description }
  return nil
}

/// Returns the text of a value of the most frequent types; `nil` for all others.
func plainText(of value: Any) -> String? {
  let type = type(of: value)
  if type == String.self { return value as? String }
  if type == Double.self { return (value as? Double)?.description }
  return plainDebugText(of: value)
}
