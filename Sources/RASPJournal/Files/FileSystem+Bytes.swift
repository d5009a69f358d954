extension FileSystem {
  /// Writes all bytes at the end of a file.
  func writeAll(_ bytes: UnsafeRawBufferPointer, to file: Int32) throws(SystemError) {
    var written = 0
    while written < bytes.count {
      do throws(SystemError) {
        let count = try write(file, bytes.part(written..<bytes.count))
        // It would be tried for ever.
        if count <= 0 { throw SystemError("write", SystemError.deviceFailed) }
        written += min(count, bytes.count - written)
      } catch  where error.code == SystemError.interrupted {
        continue
      }
    }
  }

  /// Writes all bytes at the end of a file.
  func writeAll(_ bytes: [UInt8], to file: Int32) throws(SystemError) {
    try bytes.withUnsafeBufferPointer { (all) throws(SystemError) in
      try writeAll(UnsafeRawBufferPointer(all), to: file)
    }
  }

  /// Reads until all of `bytes` is filled, or the file ends.
  ///
  /// - Returns: the number of bytes that were read.
  func readAll(_ file: Int32, into bytes: inout [UInt8]) throws(SystemError) -> Int {
    var done = 0
    while done < bytes.count {
      do throws(SystemError) {
        let length = try bytes.withUnsafeMutableBufferPointer { (all) throws(SystemError) in
          try read(file, into: UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(all)[done...]))
        }
        if length <= 0 { break }
        done += min(length, bytes.count - done)
      } catch  where error.code == SystemError.interrupted {
        continue
      }
    }
    return done
  }
}
