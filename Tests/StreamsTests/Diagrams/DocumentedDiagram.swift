import RASPTesting
import Streams
import TestSupport
import Testing

/// A marble diagram in the documentation of an operator: lines of a name, a diagram and perhaps a remark, set off by at
/// least two spaces, the last one being the result.
struct DocumentedDiagram {
  let remark: String
  let inputs: [String: String]
  let result: String

  /// All diagrams in the documentation of the operators, in the order of files and lines.
  static func all() throws -> [DocumentedDiagram] {
    try operatorFiles().flatMap { try diagrams(in: $0) }
  }

  /// The diagram whose result has this remark.
  static func with(remark: String) throws -> DocumentedDiagram {
    let matches = try all().filter { $0.remark == remark }
    try #require(matches.count == 1, "\(matches.count) documented diagrams say `\(remark)`")
    return matches[0]
  }

  /// The names of all public operators that have no diagram in their documentation.
  static func undocumentedOperators() throws -> [String] {
    try operatorFiles().flatMap { path -> [String] in
      var hasDiagram = false
      var names: [String] = []
      for line in try SourceFiles.lines(of: path) {
        let text = line.drop { $0 == " " }
        if text.hasPrefix("///") {
          if text.hasPrefix("///     result  ") { hasDiagram = true }
        } else if ["public func ", "public static func ", "public static var "].contains(where: text.hasPrefix) {
          if !hasDiagram { names.append("\(path): \(text)") }
          hasDiagram = false
        } else if !text.hasPrefix("@") {
          hasDiagram = false
        }
      }
      return names
    }
  }

  private static func diagrams(in path: String) throws -> [DocumentedDiagram] {
    var diagrams: [DocumentedDiagram] = []
    var inputs: [String: String] = [:]
    for line in try SourceFiles.lines(of: path) {
      let text = line.drop { $0 == " " }
      guard text.hasPrefix("///     ") else {
        inputs = [:]
        continue
      }
      let name = text.dropFirst(8).prefix { $0 != " " }
      let rest = text.dropFirst(8 + name.count)
      guard rest.hasPrefix("  ") else { continue }
      let diagram = rest.drop { $0 == " " }.prefix { $0 != " " }
      let remark = rest.drop { $0 == " " }.dropFirst(diagram.count).drop { $0 == " " }
      if name == "result" {
        diagrams.append(DocumentedDiagram(remark: String(remark), inputs: inputs, result: String(diagram)))
        inputs = [:]
      } else {
        inputs[String(name)] = String(diagram)
      }
    }
    return diagrams
  }

  /// The files of the operators and of the streams that need no source.
  private static func operatorFiles() throws -> [String] {
    let folders = ["Sources/Streams/Builders", "Sources/Streams/Operators"]
    // Other forms of operators that have a diagram elsewhere.
    let others = ["CombineLatestOfMore"]
    return try folders.flatMap { try SourceFiles.swiftFiles(below: $0) }.filter { path in
      path.contains("/Observable+") && !others.contains { path.hasSuffix("/Observable+\($0).swift") }
    }
  }
}

/// The inputs of a documented diagram, as streams.
struct DocumentedInputs {
  let marbles: Marbles
  let diagrams: [String: String]

  /// Time for operators that take a scheduler.
  var time: VirtualScheduler { marbles.time }

  subscript(name: String) -> Observable<String, MarbleFailure> {
    guard let diagram = diagrams[name] else {
      Issue.record("the documentation has no input named \(name)")
      return .merge([])
    }
    return marbles.stream(diagram)
  }
}
