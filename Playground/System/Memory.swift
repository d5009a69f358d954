#if canImport(Darwin)
  import Darwin
#endif

/// The working memory of the machine, in bytes.
struct Memory: Codable, Equatable, Sendable {
  /// What programs could not have without others giving something up.
  var used: UInt64
  var total: UInt64

  /// From 0 to 1.
  var fraction: Double { total > 0 ? Double(used) / Double(total) : 0 }
}

extension Memory {
  /// Reads `/proc/meminfo`: lines of a name, a colon, a number and `kB`.
  init?(procMeminfo text: String) {
    var kilobytes: [Substring: UInt64] = [:]
    for line in text.split(separator: "\n") {
      let words = line.words
      guard words.count >= 2, let value = UInt64(words[1]) else { continue }
      kilobytes[words[0]] = value
    }
    // Kernels before 3.14 do not estimate what is available.
    guard let total = kilobytes["MemTotal:"],
      let available = kilobytes["MemAvailable:"] ?? kilobytes["MemFree:"]
    else { return nil }
    let (bytes, overflows) = total.multipliedReportingOverflow(by: 1024)
    guard !overflows else { return nil }
    self.total = bytes
    used = (total - min(total, available)) * 1024
  }

  /// The memory now, or `nil` where this system does not tell.
  static func read() -> Memory? {
    #if canImport(Darwin)
      var total: UInt64 = 0
      var length = MemoryLayout<UInt64>.size
      guard sysctlbyname("hw.memsize", &total, &length, nil, 0) == 0 else { return nil }

      var info = vm_statistics64()
      let size = MemoryLayout<vm_statistics64>.stride / MemoryLayout<integer_t>.stride
      var count = mach_msg_type_number_t(size)
      let result = withUnsafeMutablePointer(to: &info) { info in
        info.withMemoryRebound(to: integer_t.self, capacity: size) {
          host_statistics64(mach_host_self(), HOST_VM_INFO64, $0, &count)
        }
      }
      guard result == KERN_SUCCESS else { return nil }
      // What only speeds things up, and could be given back, does not count as used.
      let available =
        UInt64(info.free_count) + UInt64(info.inactive_count) + UInt64(info.purgeable_count)
      let bytes = available * UInt64(getpagesize())
      return Memory(used: total - min(total, bytes), total: total)
    #else
      return SystemFile.text("/proc/meminfo").flatMap(Memory.init(procMeminfo:))
    #endif
  }
}
