/// The Swift of a document, and the tests that run it: so a document shows what was tested. `.ci/blocks` has the
/// compiler read the blocks of all documents, with their imports.
package enum ArticleBlocks {
  /// The blocks of a document that do not stand in one piece in a source file, as they stand in the document.
  ///
  /// A block may stand inside a function, so indentation and empty lines do not count. Neither do imports, which a file
  /// has at its top, nor a `nonisolated` that a target with a default isolation needs in front of a declaration.
  ///
  /// - Parameters:
  ///   - document: the path of the document in the package.
  ///   - folder: the folder of the tests.
  package static func notCompiled(of document: String, in folder: String) throws -> [String] {
    let sources = try SourceFiles.swiftFiles(below: folder).map { try code(in: SourceFiles.lines(of: $0)) }
    return try blocks(of: document).filter { block in
      let wanted = code(in: block)
      return !sources.contains { source in source.indices.contains { source[$0...].starts(with: wanted) } }
    }.map { $0.joined(separator: "\n") }
  }

  /// The number of Swift blocks of a document.
  package static func count(in document: String) throws -> Int {
    try blocks(of: document).count
  }

  private static func blocks(of document: String) throws -> [[String]] {
    var blocks: [[String]] = []
    var open: [String]?
    for line in try SourceFiles.lines(of: document) {
      let text = line.drop { $0 == " " }
      if text.hasPrefix("```swift") {
        open = []
      } else if text == "```", let block = open {
        blocks.append(block)
        open = nil
      } else {
        open?.append(line)
      }
    }
    return blocks
  }

  private static func code(in lines: [String]) -> [String] {
    lines.map { line in
      let text = line.drop { $0 == " " }
      return String(text.hasPrefix("nonisolated ") ? text.dropFirst("nonisolated ".count) : text)
    }.filter { !$0.isEmpty && !$0.hasPrefix("import ") }
  }
}
