import Foundation

/// Names of files that nothing is lost for.
enum FileNames {
  /// The first of `system.html`, `system-2.html`, `system-3.html` … that is not there yet.
  static func free(_ name: String, _ suffix: String, in folder: String = ".") -> String {
    var (path, number) = (name + suffix, 1)
    while FileManager.default.fileExists(atPath: URL(filePath: folder).appending(path: path).path) {
      number += 1
      path = "\(name)-\(number)\(suffix)"
    }
    return path
  }
}
