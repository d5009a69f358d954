#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

/// What makes one file different from another.
struct FileStamp: Sendable {
  let salt: UInt32
  let wallTime: UInt64
  let identity: UInt128

  init(salt: UInt32, wallTime: UInt64, identity: UInt128) {
    self.salt = salt
    self.wallTime = wallTime
    self.identity = identity
  }

  static var now: FileStamp {
    FileStamp(salt: .random(in: .min ... .max), wallTime: WallClock.now, identity: .random(in: .min ... .max))
  }
}

/// The time of day. It orders nothing: it can be set, also back.
enum WallClock {
  /// Nanoseconds since 1970.
  static var now: UInt64 {
    var time = timespec()
    guard clock_gettime(CLOCK_REALTIME, &time) == 0, time.tv_sec >= 0 else { return 0 }
    return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
  }
}
