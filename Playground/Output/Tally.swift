import RASPInsight

/// Counts by name, in the order in which the names were first mentioned.
struct Tally: Equatable, Sendable {
  private(set) var names: [String]
  private var counts: [String: Int]

  /// Names that are known beforehand are listed even if they are never counted.
  init(_ names: [String] = []) {
    self.names = names
    counts = Dictionary(names.map { ($0, 0) }) { first, _ in first }
  }

  subscript(name: String) -> Int { counts[name] ?? 0 }

  var total: Int { counts.values.reduce(0, +) }

  mutating func count(_ name: String) {
    if counts[name] == nil { names.append(name) }
    counts[name, default: 0] += 1
  }

  var json: JSON {
    .object(names.map { JSON.Member(key: $0, value: .integer(Int64(self[$0]))) })
  }

  /// `heading 12, depth 3`
  var text: String {
    names.isEmpty ? "none" : names.map { "\($0) \(self[$0])" }.joined(separator: ", ")
  }
}
