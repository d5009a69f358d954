#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The small text files under `/proc` and `/sys` through which Linux tells about itself.
enum SystemFile {
  /// What the file says now, or `nil` if there is none to read.
  static func text(_ path: String) -> String? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }

    var bytes: [UInt8] = []
    while bytes.count < 1 << 20 {
      let start = bytes.count
      var chunk = [UInt8](repeating: 0, count: 16_384)
      let count = read(descriptor, &chunk, chunk.count)
      if count < 0 && errno == EINTR { continue }
      // Reading a sensor that is switched off fails although its file can be opened.
      guard count >= 0 else { return nil }
      bytes += chunk.prefix(count)
      if bytes.count == start { break }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The paths that match a shell pattern, in alphabetical order.
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
  /// The parts between spaces, tabs and line ends.
  var words: [SubSequence] { split { $0 == " " || $0 == "\t" || $0.isNewline } }
}
