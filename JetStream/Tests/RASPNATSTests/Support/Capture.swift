import Foundation

/// A conversation with a real server, as `Fixtures/nats-server-VERSION.txt` has it.
enum Capture {
  static let versions = ["2.15.1", "2.9.10"]

  /// Everything that the server said.
  static func server(_ version: String) throws -> [UInt8] {
    try lines(of: "nats-server-\(version)").flatMap { $0 }
  }

  /// Operations that are right, and some that are nearly so.
  static func frames() throws -> [[UInt8]] { try lines(of: "frames") }

  private static func lines(of name: String) throws -> [[UInt8]] {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    let file = folder.appending(path: "Fixtures/\(name).txt")
    let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
    return lines.filter { $0.hasPrefix("S ") }.map { unescaped($0.dropFirst(2)) }
  }

  private static func unescaped(_ line: Substring) -> [UInt8] {
    var bytes: [UInt8] = []
    var rest = line.utf8[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "\\"), let kind = rest.popFirst() else {
        bytes.append(byte)
        continue
      }
      switch kind {
      case UInt8(ascii: "r"): bytes.append(13)
      case UInt8(ascii: "n"): bytes.append(10)
      case UInt8(ascii: "x"):
        bytes.append(UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) ?? 0)
        rest = rest.dropFirst(2)
      default: bytes.append(kind)
      }
    }
    return bytes
  }
}
