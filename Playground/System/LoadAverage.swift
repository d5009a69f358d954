#if canImport(Darwin)
  import Darwin
#endif

/// How many processes wanted to run, averaged over the last one, five and fifteen minutes.
struct LoadAverage: Codable, Equatable, Sendable {
  var one: Double
  var five: Double
  var fifteen: Double
}

extension LoadAverage {
  /// Reads `/proc/loadavg`, which begins with the three numbers.
  init?(procLoadavg text: String) {
    let numbers = text.words.prefix(3).compactMap { Double($0) }
    guard numbers.count == 3, numbers.allSatisfy({ $0.isFinite && $0 >= 0 }) else { return nil }
    self.init(one: numbers[0], five: numbers[1], fifteen: numbers[2])
  }

  /// The averages now, or `nil` where this system does not tell.
  static func read() -> LoadAverage? {
    #if canImport(Darwin)
      var numbers = [Double](repeating: 0, count: 3)
      guard getloadavg(&numbers, 3) == 3 else { return nil }
      return LoadAverage(one: numbers[0], five: numbers[1], fifteen: numbers[2])
    #else
      return SystemFile.text("/proc/loadavg").flatMap(LoadAverage.init(procLoadavg:))
    #endif
  }
}
