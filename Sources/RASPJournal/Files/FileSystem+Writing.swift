#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

extension FileSystem {
  /// Writes all bytes at the end of a file.
  func writeAll(_ bytes: UnsafeRawBufferPointer, to file: Int32) throws(SystemError) {
    var written = 0
    while written < bytes.count {
      do throws(SystemError) {
        let count = try write(file, bytes.part(written..<bytes.count))
        // It would be tried for ever.
        if count <= 0 { throw SystemError("write", EIO) }
        written += min(count, bytes.count - written)
      } catch  where error.code == EINTR {
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
}
