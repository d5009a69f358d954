#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Reads the package's own files, for tests that hold documentation and code together.
public enum SourceFiles {
  /// A file or folder that cannot be read.
  public struct ReadError: Error, CustomStringConvertible {
    /// The path.
    public let path: String

    /// What to do about it.
    public var description: String { "cannot read \(path); run the tests in the checkout they were built in" }
  }

  /// The folder of the package.
  public static let root = #filePath.split(separator: "/", omittingEmptySubsequences: false)
    .dropLast(3).joined(separator: "/")

  /// The lines of a file, by its path in the package.
  public static func lines(of path: String) throws(ReadError) -> [String] {
    guard let file = fopen("\(root)/\(path)", "r") else { throw ReadError(path: path) }
    defer { fclose(file) }
    var text: [UInt8] = []
    while true {
      let byte = fgetc(file)
      if byte == EOF { break }
      text.append(UInt8(truncatingIfNeeded: byte))
    }
    return String(decoding: text, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false).map(
      String.init
    )
  }

  /// The Swift files below a folder of the package, by their paths in it, sorted.
  public static func swiftFiles(below folder: String) throws(ReadError) -> [String] {
    guard let directory = opendir("\(root)/\(folder)") else { throw ReadError(path: folder) }
    defer { closedir(directory) }
    var found: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name.hasSuffix(".swift") {
        found.append("\(folder)/\(name)")
      } else if !name.contains(".") {
        found += try swiftFiles(below: "\(folder)/\(name)")
      }
    }
    return found.sorted()
  }
}
