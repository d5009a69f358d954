import Streams

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

/// The time of day. It orders nothing: it can be set, also back.
package enum WallClock {
  /// Nanoseconds since 1970.
  package static var now: UInt64 {
    var time = timespec()
    guard clock_gettime(CLOCK_REALTIME, &time) == 0, time.tv_sec >= 0 else { return 0 }
    return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
  }
}

extension TapeClock {
  /// The wall time at which the clock stood at zero, to the microsecond, since 1970: as it is to be taken for what has
  /// happened just now. `nil` for a clock that is not the system's.
  ///
  /// A clock that stands still while the system sleeps has another one after it.
  package var wallOrigin: Duration? {
    guard isReal else { return nil }
    let origin = Int64(clamping: WallClock.now) &- exactNow
    return .microseconds(origin / 1_000)
  }
}
