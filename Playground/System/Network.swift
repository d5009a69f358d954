#if canImport(Darwin)
  import Darwin
#endif

/// How much has gone through all network interfaces but the loopback since they came up, in bytes.
struct NetworkCounters: Codable, Equatable, Sendable {
  var received: UInt64
  var sent: UInt64

  /// The traffic since an earlier reading; `nil` if no time has passed.
  func traffic(since earlier: NetworkCounters, over time: Duration) -> NetworkTraffic? {
    let seconds = time / .seconds(1)
    guard seconds > 0 else { return nil }
    // An interface that goes away takes its count along.
    return NetworkTraffic(
      received: received > earlier.received ? Double(received - earlier.received) / seconds : 0,
      sent: sent > earlier.sent ? Double(sent - earlier.sent) / seconds : 0
    )
  }
}

/// In bytes per second.
struct NetworkTraffic: Codable, Equatable, Sendable {
  var received: Double
  var sent: Double
}

extension NetworkCounters {
  /// Reads `/proc/net/dev`: two lines of headings, then an interface a line, its name with a colon, eight
  /// numbers about what it received and eight about what it sent, both beginning with the bytes.
  init?(procNetDev text: String) {
    var found = false
    (received, sent) = (0, 0)
    for line in text.split(separator: "\n") {
      guard let colon = line.firstIndex(of: ":") else { continue }
      let name = line[..<colon].words.last
      // Old kernels leave no space between the colon and the first number.
      let numbers = line[line.index(after: colon)...].words
      guard let name, name != "lo", numbers.count >= 9 else { continue }
      guard let bytesIn = UInt64(numbers[0]), let bytesOut = UInt64(numbers[8]) else { continue }
      received &+= bytesIn
      sent &+= bytesOut
      found = true
    }
    guard found else { return nil }
  }

  /// The counters now, or `nil` where this system does not tell.
  static func read() -> NetworkCounters? {
    #if canImport(Darwin)
      var first: UnsafeMutablePointer<ifaddrs>?
      guard getifaddrs(&first) == 0 else { return nil }
      defer { freeifaddrs(first) }

      var counters: NetworkCounters?
      var next = first
      while let address = next?.pointee {
        next = address.ifa_next
        guard
          address.ifa_addr?.pointee.sa_family == UInt8(AF_LINK),
          address.ifa_flags & UInt32(IFF_LOOPBACK) == 0,
          let data = address.ifa_data?.assumingMemoryBound(to: if_data.self).pointee
        else { continue }
        // The system counts in 32 bits here, and begins again at zero.
        let sum = counters ?? NetworkCounters(received: 0, sent: 0)
        counters = NetworkCounters(
          received: sum.received + UInt64(data.ifi_ibytes),
          sent: sum.sent + UInt64(data.ifi_obytes)
        )
      }
      return counters
    #else
      return SystemFile.text("/proc/net/dev").flatMap(NetworkCounters.init(procNetDev:))
    #endif
  }
}
