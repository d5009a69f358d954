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
  /// Reads a line of `/proc/stat`: `cpu` and perhaps a number, then user, nice, system, idle, waiting for input and
  /// output, interrupts, soft interrupts, stolen by the host. Guests' time, which follows, is already part of user.
  init?(line: some StringProtocol) {
    let words = line.words
    guard words.first?.hasPrefix("cpu") == true else { return nil }
    let ticks = words.dropFirst().prefix(8).compactMap { UInt64($0) }
    guard ticks.count >= 4 else { return nil }

    let waiting = ticks.count > 4 ? ticks[4] : 0
    idle = ticks[3] &+ waiting
    busy = ticks.reduce(0, &+) &- idle
  }
}

/// How long the processors have worked and waited: all together, and each.
struct ProcessorReading: Codable, Equatable, Sendable {
  var total: ProcessorTimes
  /// Empty where the system does not tell.
  var each: [ProcessorTimes] = []
}

/// How busy the processors are, from 0 to 1.
struct ProcessorLoad: Codable, Equatable, Sendable {
  var total: Double
  var each: [Double] = []
}

extension ProcessorReading {
  /// Reads `/proc/stat`: a line for all processors, and one for each.
  init?(procStat text: String) {
    let lines = text.split(separator: "\n")
    guard let first = lines.first, first.words.first == "cpu", let total = ProcessorTimes(line: first) else {
      return nil
    }
    self.init(
      total: total,
      each: lines.dropFirst().prefix { $0.hasPrefix("cpu") }.compactMap { ProcessorTimes(line: $0) }
    )
  }

  /// How busy the processors were since an earlier reading; `nil` if no time has passed.
  func load(since earlier: ProcessorReading) -> ProcessorLoad? {
    guard let total = total.load(since: earlier.total) else { return nil }
    // A processor may be switched off or on.
    guard each.count == earlier.each.count else { return ProcessorLoad(total: total) }
    return ProcessorLoad(total: total, each: zip(each, earlier.each).map { $0.load(since: $1) ?? 0 })
  }

  /// The counters now, or `nil` where this system does not tell.
  static func read() -> ProcessorReading? {
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
      return ProcessorReading(
        total: ProcessorTimes(busy: UInt64(user) + UInt64(system) + UInt64(nice), idle: UInt64(idle))
      )
    #else
      return SystemFile.text("/proc/stat").flatMap(ProcessorReading.init(procStat:))
    #endif
  }
}
