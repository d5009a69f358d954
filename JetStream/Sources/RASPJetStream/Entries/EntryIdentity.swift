import RASPLogs
import RASPNATS

extension EntryIdentity {
  /// That of a message: its time in nanoseconds, and the identity under which it was stored. A message of something
  /// else, such as a sensor, has none, and most of a batch have none either: the time tells them apart.
  ///
  /// - Parameter time: when the stream took it, nanoseconds since 1970.
  init(time: Int64, headers: NATSHeaders) {
    // FNV-1a: no attacker can gain by two texts with one number.
    let text = headers["Nats-Msg-Id"].map { text in
      text.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 } as UInt64
    }
    self.init(UInt64(bitPattern: time), text ?? 0)
  }

  /// That of an entry of a stream that is another one than it was: no entry has it.
  static let ofAnotherStream = EntryIdentity(0, 1)
}

/// Times in the JSON of a server, as in `2026-11-23T13:31:04.020301499Z`.
enum ServerTime {
  /// - Returns: nanoseconds since 1970; `nil` if the text is no time in UTC.
  static func nanoseconds(_ text: String) -> Int64? {
    let parts = text.split(separator: "T", maxSplits: 1)
    guard parts.count == 2, let zone = parts[1].firstIndex(where: { "Z+".contains($0) }),
      ["Z", "+00:00"].contains(parts[1][zone...])
    else { return nil }
    let date = parts[0].split(separator: "-", omittingEmptySubsequences: false).map { Int64($0) }
    let clock = parts[1][..<zone].split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    let time = clock[0].split(separator: ":", omittingEmptySubsequences: false).map { Int64($0) }
    guard date.count == 3, let year = date[0], let month = date[1], let day = date[2], (1970...2261).contains(year),
      (1...12).contains(month), (1...31).contains(day), time.count == 3, let hour = time[0], let minute = time[1],
      let second = time[2], (0...23).contains(hour), (0...59).contains(minute), (0...60).contains(second)
    else { return nil }
    var nanoseconds: Int64 = 0
    if clock.count == 2 {
      guard (1...9).contains(clock[1].utf8.count), let digits = Int64(clock[1]), digits >= 0 else { return nil }
      nanoseconds = (clock[1].utf8.count..<9).reduce(digits) { number, _ in number * 10 }
    }
    return (days(year, month, day) * 86_400 + hour * 3_600 + minute * 60 + second) * 1_000_000_000 + nanoseconds
  }

  /// The days from 1970-01-01 to a date. The year begins in March, so that the day that comes and goes is its last one.
  private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
    let (year, month) = month > 2 ? (year, month - 3) : (year - 1, month + 9)
    return year * 365 + year / 4 - year / 100 + year / 400 + (month * 153 + 2) / 5 + day - 1 - 719_468
  }
}
