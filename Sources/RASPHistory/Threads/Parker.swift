#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

/// A place where one thread waits until another one wakes it, or until some time has passed. A wake that comes before
/// the wait is not lost.
///
/// Safe to share: `isWoken` is used while the mutex is locked, and the three have addresses that do not change.
package final class Parker: @unchecked Sendable {
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private var isWoken = false

  package init() {
    mutex.initialize(to: pthread_mutex_t())
    condition.initialize(to: pthread_cond_t())
    let code = pthread_mutex_init(mutex, nil)
    assert(code == 0, "the system has no mutex")
    #if canImport(Darwin)
      pthread_cond_init(condition, nil)
    #else
      // The time of day may be set.
      var attributes = pthread_condattr_t()
      pthread_condattr_init(&attributes)
      pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
      pthread_cond_init(condition, &attributes)
      pthread_condattr_destroy(&attributes)
    #endif
  }

  deinit {
    pthread_cond_destroy(condition)
    pthread_mutex_destroy(mutex)
    condition.deallocate()
    mutex.deallocate()
  }

  /// Wakes the thread that waits, or the next one.
  package func wake() {
    pthread_mutex_lock(mutex)
    isWoken = true
    pthread_mutex_unlock(mutex)
    pthread_cond_signal(condition)
  }

  /// Returns when it was woken.
  ///
  /// - Parameter duration: at most so long; `nil` for as long as it takes.
  /// - Returns: `false` if the time has passed before.
  @discardableResult
  package func wait(atMost duration: Duration? = nil) -> Bool {
    let end = duration.map { Self.now + min(max(.zero, $0), .seconds(1_000_000)) }
    pthread_mutex_lock(mutex)
    while !isWoken {
      guard let end else {
        pthread_cond_wait(condition, mutex)
        continue
      }
      if Self.now >= end { break }
      #if canImport(Darwin)
        var left = timespec(end - Self.now)
        pthread_cond_timedwait_relative_np(condition, mutex, &left)
      #else
        var until = timespec(end)
        pthread_cond_timedwait(condition, mutex, &until)
      #endif
    }
    defer {
      isWoken = false
      pthread_mutex_unlock(mutex)
    }
    return isWoken
  }

  private static var now: Duration {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
  }
}

extension timespec {
  fileprivate init(_ duration: Duration) {
    let (seconds, attoseconds) = duration.components
    self.init(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
  }
}
