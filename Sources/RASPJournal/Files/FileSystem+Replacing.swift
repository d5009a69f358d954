extension FileSystem {
  /// Replaces a file, or makes it. The new file is written beside it and takes its place when it is complete and on the
  /// medium. So at each moment the path has what it had before, or all that is new. The permissions stay, and a link
  /// stays: what it leads to is replaced.
  ///
  /// - Parameter body: calls `write` with the bytes, one part after the other. What it throws is thrown on, and nothing
  ///   is changed then.
  func replace(
    _ path: String,
    _ body: (_ write: ([UInt8]) throws(JournalError) -> Void) throws(JournalError) -> Void
  ) throws(JournalError) {
    // What is not there has no other path. A link that leads nowhere is replaced.
    let path = path.utf8.contains(0) ? path : (try? resolve(path)) ?? path
    let folder = folder(of: path)
    let temporary = "\(folder)/.rasp-\(String(UInt64.random(in: .min ... .max), radix: 16)).tmp"
    let file = try JournalError.naming(path) { () throws(SystemError) in
      // The system would take the path up to there.
      if path.utf8.contains(0) { throw SystemError("open", SystemError.invalid) }
      return try create(temporary)
    }
    do throws(JournalError) {
      try JournalError.naming(path) { () throws(SystemError) in try keepMode(of: path, in: file) }
      try body { (bytes) throws(JournalError) in
        try JournalError.naming(path) { () throws(SystemError) in try writeAll(bytes, to: file) }
      }
      try JournalError.naming(path) { () throws(SystemError) in try sync(file) }
    } catch {
      // Both fail only if there is nothing left to do.
      try? close(file)
      try? remove(temporary)
      throw error
    }
    try JournalError.naming(path) { () throws(SystemError) in
      do throws(SystemError) {
        try close(file)
        try rename(temporary, to: path)
      } catch {
        try? remove(temporary)
        throw error
      }
      try syncFolder(folder)
    }
  }

  /// The folder that a file is in.
  func folder(of path: String) -> String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }
}
