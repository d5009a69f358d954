import Foundation

// Prints the public API of a module as lines of text, sorted: `interface GRAPH …`, from the symbol graphs that the
// compiler made of the module and of what it adds to others. A line is a declaration with the path of its name, or a
// conformance.

struct Graph: Decodable {
  struct Symbol: Decodable {
    struct Kind: Decodable { var identifier: String }
    struct Identifier: Decodable { var precise: String }
    struct Fragment: Decodable { var spelling: String }
    struct Availability: Decodable {
      var domain: String?
      var isUnconditionallyUnavailable: Bool?
    }

    var kind: Kind
    var identifier: Identifier
    var pathComponents: [String]
    var declarationFragments: [Fragment]?
    var availability: [Availability]?
  }

  struct Relationship: Decodable {
    struct Constraint: Decodable {
      var kind: String
      var lhs: String
      var rhs: String
    }

    var kind: String
    var source: String
    var target: String
    var targetFallback: String?
    var swiftConstraints: [Constraint]?
  }

  var symbols: [Symbol]
  var relationships: [Relationship]
}

var lines: Set<String> = []
for path in CommandLine.arguments.dropFirst() {
  let graph = try JSONDecoder().decode(Graph.self, from: Data(contentsOf: URL(filePath: path)))
  var names: [String: String] = [:]
  for symbol in graph.symbols { names[symbol.identifier.precise] = symbol.pathComponents.joined(separator: ".") }

  for symbol in graph.symbols {
    // What a type gets from a protocol of the standard library differs from toolchain to toolchain.
    if symbol.identifier.precise.contains("::SYNTHESIZED::") || symbol.kind.identifier == "swift.extension" { continue }
    let declaration = (symbol.declarationFragments ?? []).map(\.spelling).joined()
    let isUnavailable = symbol.availability?.contains { $0.isUnconditionallyUnavailable == true } == true
    let words = declaration.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    lines.insert("\(symbol.pathComponents.joined(separator: "."))  \(isUnavailable ? "(unavailable) " : "")\(words)")
  }
  for relationship in graph.relationships where relationship.kind == "conformsTo" {
    guard let source = names[relationship.source] else { continue }
    let target = names[relationship.target] ?? relationship.targetFallback ?? relationship.target
    let constraints = (relationship.swiftConstraints ?? []).map { "\($0.lhs) \($0.kind) \($0.rhs)" }.sorted()
    let condition = constraints.isEmpty ? "" : " where " + constraints.joined(separator: ", ")
    lines.insert("\(source) : \(target)\(condition)")
  }
}
for line in lines.sorted() { print(line) }
