import Foundation

/// Reads a pipe line by line, on a thread of its own: a read that waits must not keep a thread of the pool.
enum LineReader {
  /// - Parameters:
  ///   - file: is read to its end.
  ///   - onLine: is called for each line that is complete.
  ///   - onEnd: is called at the end.
  static func read(
    _ file: FileHandle,
    onLine: @escaping @Sendable (String) -> Void,
    onEnd: @escaping @Sendable () -> Void = {}
  ) {
    Thread.detachNewThread {
      var rest: [UInt8] = []
      var buffer = [UInt8](repeating: 0, count: 65_536)
      while true {
        let count = buffer.withUnsafeMutableBytes { systemRead(file.fileDescriptor, $0) }
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { break }
        rest += buffer[..<count]
        let lines = rest.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        for line in lines.dropLast() { onLine(String(decoding: line, as: UTF8.self)) }
        rest = Array(lines.last ?? [])
      }
      onEnd()
    }
  }
}

private func systemRead(_ descriptor: Int32, _ bytes: UnsafeMutableRawBufferPointer) -> Int {
  read(descriptor, bytes.baseAddress, bytes.count)
}
