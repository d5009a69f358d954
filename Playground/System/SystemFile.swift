import Foundation

/// The small text files under `/proc` and `/sys` through which Linux tells about itself.
enum SystemFile {
  /// What the file says now, or `nil` if there is none to read. A sensor that is switched off has a file that cannot be
  /// read.
  static func text(_ path: String) -> String? {
    FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }
  }

  /// The paths that match a shell pattern, in alphabetical order. Foundation has no patterns for paths.
  static func paths(matching pattern: String) -> [String] {
    var matches = glob_t()
    defer { globfree(&matches) }
    guard glob(pattern, 0, nil, &matches) == 0, let paths = matches.gl_pathv else { return [] }
    return (0..<Int(matches.gl_pathc)).compactMap { index in
      paths[index].map { String(cString: $0) }
    }
  }
}

extension StringProtocol {
  /// What a line of such a file is made of: the parts between spaces, tabs and line ends.
  var words: [SubSequence] { split { $0 == " " || $0 == "\t" || $0.isNewline } }
}
