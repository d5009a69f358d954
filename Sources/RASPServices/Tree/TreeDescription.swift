/// A place of the tree for people.
struct PlaceLabel: Sendable {
  /// The name of a service; `nil` for a modifier.
  var name: String?
  /// The name of a modifier.
  var modifier: String?
  /// A remark behind the name.
  var remark: String?
}

/// A tree that was read, as people see it: one line for each service, with the modifiers around it and the types that
/// it handles.
struct TreeDescription {
  private struct Line {
    let depth: Int
    let text: String
  }

  private var lines: [Line] = []

  init(_ places: ServicePlaces, _ labels: [PlaceLabel]) {
    /// What a place hands on to the places right under it.
    struct Inherited {
      var modifiers: [String] = []
      var depth = 0
    }
    var children = places.list.map { _ in 0 }
    for place in places.list { if let parent = place.parent { children[parent] += 1 } }

    var handedOn: [Inherited] = []
    for (index, (place, label)) in zip(places.list, labels).enumerated() {
      let inherited = place.parent.map { handedOn[$0] } ?? Inherited()
      let modifiers = (label.modifier.map { [$0] } ?? []) + inherited.modifiers
      if label.name == nil, children[index] == 1 {
        handedOn.append(Inherited(modifiers: modifiers, depth: inherited.depth))
        continue
      }
      // A modifier around nothing, or around several services that stand in no group.
      let name = label.name ?? (children[index] == 0 ? "EmptyService" : "Group")
      handedOn.append(Inherited(depth: inherited.depth + 1))
      let text = Self.text(name, modifiers, place.handlers, label.remark)
      lines.append(Line(depth: inherited.depth, text: text))
    }
  }

  private static func text(_ name: String, _ modifiers: [String], _ handlers: [Handler], _ remark: String?) -> String {
    var seen: Set<String> = []
    let handles = handlers.compactMap { $0.kind?.name }.filter { seen.insert($0).inserted }
    var text = name
    if !modifiers.isEmpty { text += " [\(modifiers.joined(separator: ", "))]" }
    if !handles.isEmpty { text += ": \(handles.joined(separator: ", "))" }
    if let remark { text += " (\(remark))" }
    return text
  }

  /// The lines, indented.
  var text: String {
    lines.map { String(repeating: "  ", count: $0.depth) + $0.text }.joined(separator: "\n")
  }
}
