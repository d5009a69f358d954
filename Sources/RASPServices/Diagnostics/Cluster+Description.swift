extension Cluster: CustomStringConvertible {
  /// The running tree, indented, one service a line: its name, the modifiers around it (the nearest first, in
  /// brackets), and the types of actions that it handles.
  ///
  ///     Cluster
  ///       Group [serial, transformError]
  ///         IdentityService [with(IdentityModel)]
  ///           Store<IdentityModel>: IdentityAction, StartUpAction
  ///
  /// - Complexity: O(services).
  public var description: String {
    TreeLine.lines(of: tree).map { String(repeating: "  ", count: $0.depth) + $0.text }.joined(separator: "\n")
  }

  /// The running tree as a Mermaid graph, for tools that draw such graphs.
  ///
  ///     graph TD
  ///       n0["Cluster"]
  ///       n1["IdentityService"]
  ///       n0 --> n1
  ///
  /// - Complexity: O(services).
  public var mermaid: String {
    let lines = TreeLine.lines(of: tree)
    let nodes = lines.map { "  n\($0.number)[\"\($0.mermaidText)\"]" }
    let edges = lines.compactMap { line in line.parent.map { "  n\($0) --> n\(line.number)" } }
    return (["graph TD"] + nodes + edges).joined(separator: "\n")
  }
}

/// One service of a tree as people see it, with the modifiers around it and the types that it handles.
private struct TreeLine {
  let number: Int
  let parent: Int?
  let depth: Int
  let name: String
  let modifiers: [String]
  let handles: [String]
  let remark: String?

  static func lines(of root: Node) -> [TreeLine] {
    var lines: [TreeLine] = []
    add(root, modifiers: [], parent: nil, depth: 0, to: &lines)
    return lines
  }

  private static func add(_ node: Node, modifiers: [String], parent: Int?, depth: Int, to lines: inout [TreeLine]) {
    let modifiers = (node.label.map { [$0] } ?? []) + modifiers
    let name: String
    if let named = node.name {
      name = named
    } else if node.children.count == 1 {
      add(node.children[0], modifiers: modifiers, parent: parent, depth: depth, to: &lines)
      return
    } else {
      // A modifier around nothing, or around several services that stand in no group.
      name = node.children.isEmpty ? "EmptyService" : "Group"
    }
    let number = lines.count
    lines.append(
      TreeLine(
        number: number,
        parent: parent,
        depth: depth,
        name: name,
        modifiers: modifiers,
        handles: unique(node.handlers.compactMap { $0.kind?.name }),
        remark: node.remark
      )
    )
    for child in node.children { add(child, modifiers: [], parent: number, depth: depth + 1, to: &lines) }
  }

  private static func unique(_ names: [String]) -> [String] {
    var seen: Set<String> = []
    return names.filter { seen.insert($0).inserted }
  }

  var text: String {
    var text = name
    if !modifiers.isEmpty { text += " [\(modifiers.joined(separator: ", "))]" }
    if !handles.isEmpty { text += ": \(handles.joined(separator: ", "))" }
    if let remark { text += " (\(remark))" }
    return text
  }

  var mermaidText: String {
    text.reduce(into: "") { escaped, character in
      switch character {
      case "\"": escaped += "#quot;"
      case "<": escaped += "#lt;"
      case ">": escaped += "#gt;"
      case "#": escaped += "#35;"
      default: escaped.append(character)
      }
    }
  }
}
