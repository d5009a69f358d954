#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Makes an empty folder, in memory where the system has files there. The system removes what is in it.
func temporaryFolder() -> String {
  #if os(Linux)
    let parent = "/dev/shm"
  #else
    let parent = "/tmp"
  #endif
  var path = Array("\(parent)/rasp-costs-XXXXXX".utf8CString)
  precondition(mkdtemp(&path) != nil, "No folder could be made in \(parent).")
  return String(decoding: path.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
}
