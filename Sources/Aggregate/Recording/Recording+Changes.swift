import Streams

extension Recording {
  /// One change of a field.
  package struct FieldChange<Field: Sendable>: Sendable {
    /// The event that made it.
    package let entry: Entry
    package let old: Field
    package let new: Field
  }

  /// Returns the newest change of what a selector reads, as the subscribers of a selection were told of it.
  ///
  /// - Complexity: one `apply` and one read per event.
  package func newestChange<Field>(of selector: StateSelector<State, Field>) -> FieldChange<Field>? {
    guard let initial else { return nil }
    // One reader for all states: it may remember something.
    let reader = selector.makeReader()
    var old = reader.read(inPlaceOf: initial)
    var newest: FieldChange<Field>?
    replay { entry, state, refusal in
      if refusal != nil { return }
      let new = reader.read(inPlaceOf: state)
      if selector.areEquivalent(old, new) { return }
      newest = FieldChange(entry: entry, old: old, new: new)
      old = new
    }
    return newest
  }
}

extension StateSelector {
  /// The way to the field from the state, `.heading`; of a closure, the type that it reads.
  package var fieldName: String { id.text ?? " (\(Field.self))" }
}

extension SelectorID {
  /// The way from one value to a part of it; `nil` for what was made from a closure.
  fileprivate var text: String? {
    switch self {
    case .keyPath(let path, _), .rows(let path):
      // It prints as `\State.field`.
      let text = "\(path)"
      return text.firstIndex(of: ".").map { String(text[$0...]) } ?? ""
    case .path(let first, let second):
      guard let first = first.text, let second = second.text else { return nil }
      return first + second
    case .row(let key): return "[\(key.text)]"
    case .unique: return nil
    }
  }
}
