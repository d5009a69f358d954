#if canImport(Darwin)
  import Darwin
#endif

/// How long a processor has worked and waited since the machine started, in ticks.
struct ProcessorTimes: Codable, Equatable, Sendable {
  var busy: UInt64
  var idle: UInt64

  /// How busy the processors were since an earlier reading, from 0 to 1; `nil` if no time has passed.
  func load(since earlier: ProcessorTimes) -> Double? {
    // Linux warns that the counters may step backwards a little.
    let busy = self.busy > earlier.busy ? Double(self.busy - earlier.busy) : 0
    let idle = self.idle > earlier.idle ? Double(self.idle - earlier.idle) : 0
    return busy + idle > 0 ? busy / (busy + idle) : nil
  }
}

extension ProcessorTimes {
  /// Reads the first line of `/proc/stat`, which is about all processors: `cpu`, then user, nice, system, idle,
  /// waiting for input and output, interrupts, soft interrupts, stolen by the host. Guests' time, which follows, is
  /// already part of user.
  init?(procStat text: String) {
    let words = text.split(separator: "\n").first?.words ?? []
    guard words.first == "cpu" else { return nil }
    let ticks = words.dropFirst().prefix(8).compactMap { UInt64($0) }
    guard ticks.count >= 4 else { return nil }

    let waiting = ticks.count > 4 ? ticks[4] : 0
    idle = ticks[3] &+ waiting
    busy = ticks.reduce(0, &+) &- idle
  }

  /// The counters now, or `nil` where this system does not tell.
  static func read() -> ProcessorTimes? {
    #if canImport(Darwin)
      var info = host_cpu_load_info()
      let size = MemoryLayout<host_cpu_load_info>.stride / MemoryLayout<integer_t>.stride
      var count = mach_msg_type_number_t(size)
      let result = withUnsafeMutablePointer(to: &info) { info in
        info.withMemoryRebound(to: integer_t.self, capacity: size) {
          host_statistics(mach_host_self(), HOST_CPU_LOAD_INFO, $0, &count)
        }
      }
      guard result == KERN_SUCCESS else { return nil }
      // The order is that of CPU_STATE_USER, CPU_STATE_SYSTEM, CPU_STATE_IDLE and CPU_STATE_NICE.
      let (user, system, idle, nice) = info.cpu_ticks
      return ProcessorTimes(busy: UInt64(user) + UInt64(system) + UInt64(nice), idle: UInt64(idle))
    #else
      return SystemFile.text("/proc/stat").flatMap(ProcessorTimes.init(procStat:))
    #endif
  }
}
