import Aggregate
import RASPSupport
import Streams

extension Recording {
  /// One change of a field.
  package struct FieldChange<Field: Sendable>: Sendable {
    /// The event that made it.
    package let entry: Entry
    package let old: Field
    package let new: Field
  }

  /// Returns the newest change of what a selector reads, as the subscribers of a selection were told of it. One in
  /// which nothing differs is none: a value that does not equal itself, or that cannot be compared, is told at every
  /// event.
  ///
  /// - Complexity: one `apply` and one read per event.
  package func newestChange<Field>(of selector: StateSelector<State, Field>) -> FieldChange<Field>? {
    // What has the same memory is the same value, because the objects of a state do not change.
    let newest = newestChange(of: selector) { old, new in
      withUnsafeBytes(of: old) { old in withUnsafeBytes(of: new) { old.elementsEqual($0) } }
    }
    guard let newest, isSame(newest.old, newest.new) else { return newest }
    // All texts are asked only now, because that takes far longer than an event.
    return newestChange(of: selector, unless: { isSame($0, $1) })
  }

  private func newestChange<Field>(
    of selector: StateSelector<State, Field>,
    unless isSame: (Field, Field) -> Bool
  ) -> FieldChange<Field>? {
    guard let initial else { return nil }
    // One use for all states: it may remember something.
    let use = withUnsafePointer(to: initial) { selector.begin($0, nil) }
    let field = Confined(use.field)
    var newest: FieldChange<Field>?
    replay { entry, state, refusal in
      let old = field.pointer.pointee
      if refusal != nil || !withUnsafePointer(to: state, { use.update($0, field.pointer) }) { return }
      if isSame(old, field.pointer.pointee) { return }
      newest = FieldChange(entry: entry, old: old, new: field.pointer.pointee)
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
    case .row(let row, _): return "[\(row.text)]"
    case .unique: return nil
    }
  }
}
