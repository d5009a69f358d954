extension RollingWindow {
  private enum CodingKeys: String, CodingKey {
    case duration, slotDuration, now, instants, values, counts, minima, maxima, sums
  }
}

extension RollingWindow: Encodable where Value: Encodable {
  /// Encodes the lengths, the newest instant and the values with their instants, the oldest first; of a window with
  /// slots, the ends of the slots, their counts and their summaries.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(duration, forKey: .duration)
    try container.encodeIfPresent(slotDuration, forKey: .slotDuration)
    try container.encodeIfPresent(now, forKey: .now)
    guard let slots = slotted.first?.all else {
      let readings = readings.entries
      try container.encode(readings.map(\.instant), forKey: .instants)
      return try container.encode(readings.map(\.value), forKey: .values)
    }
    try container.encode(slots.map(\.instant), forKey: .instants)
    try container.encode(slots.map(\.count), forKey: .counts)
    try container.encode(slots.map(\.summary.min), forKey: .minima)
    try container.encode(slots.map(\.summary.max), forKey: .maxima)
    try container.encode(slots.map(\.summary.sum), forKey: .sums)
  }
}

extension RollingWindow: Decodable where Value: Decodable {
  /// Decodes a window.
  ///
  /// - Errors: throws `DecodingError.dataCorrupted` if the instants do not rise, if a value is not a number, or if
  ///   there are not as many values as instants.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let duration = try container.decode(Duration.self, forKey: .duration)
    let slotDuration = try container.decodeIfPresent(Duration.self, forKey: .slotDuration)
    let now = try container.decodeIfPresent(Duration.self, forKey: .now)
    let instants = try container.decode([Duration].self, forKey: .instants)
    func check(_ holds: Bool, _ key: CodingKeys, _ problem: String) throws {
      if !holds { throw DecodingError.dataCorruptedError(forKey: key, in: container, debugDescription: problem) }
    }
    func numbers(_ key: CodingKeys) throws -> [Value] {
      let numbers = try container.decode([Value].self, forKey: key)
      try check(numbers.count == instants.count, key, "There are not as many values as instants.")
      // The sum of infinite values may be one.
      try check(key == .sums || numbers.allSatisfy { !$0.isNaN }, key, "A value is not a number.")
      return numbers
    }
    try check(duration >= .zero, .duration, "The length of a window is negative.")
    try check(zip(instants, instants.dropFirst()).allSatisfy { $0 <= $1 }, .instants, "The instants do not rise.")
    self.init(over: duration, slotDuration: slotDuration)
    changingNow = now
    guard let slotDuration else {
      let values = try numbers(.values)
      for (instant, value) in zip(instants, values) { readings.append(Reading(instant: instant, value: value)) }
      if let newest = instants.last { changingNow = Swift.max(now ?? newest, newest) }
      return
    }
    try check(slotDuration >= .zero, .slotDuration, "The length of a slot is negative.")
    let counts = try container.decode([Int].self, forKey: .counts)
    try check(counts.count == instants.count, .counts, "There are not as many counts as instants.")
    let total = counts.reduce(0 as Int?) { total, count in
      let (sum, overflow) = (total ?? 0).addingReportingOverflow(count)
      return total == nil || overflow || count < 1 ? nil : sum
    }
    try check(total != nil, .counts, "The number of values of a slot is not possible.")
    let (minima, maxima, sums) = (try numbers(.minima), try numbers(.maxima), try numbers(.sums))
    for index in instants.indices {
      var summary = ValueSummary<Value>()
      (summary.min, summary.max, summary.sum) = (minima[index], maxima[index], sums[index])
      slotted[0].slots.append(SlottedValues.Slot(endingAt: instants[index], count: counts[index], summary))
    }
    slotted[0].count = total ?? 0
  }
}
