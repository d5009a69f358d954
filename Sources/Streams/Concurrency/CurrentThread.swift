import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

/// The thread that runs this code: its identity, and a way to wait for another thread that is almost done.
@usableFromInline
package enum CurrentThread {
  /// No thread has this identity.
  @usableFromInline package static var none: UInt { 0 }

  /// The identity of this thread. It is unique among the threads that live now.
  @inlinable package static var id: UInt {
    #if canImport(Glibc)
      UInt(pthread_self())
    #else
      UInt(bitPattern: pthread_self())
    #endif
  }

  /// Waits for about the time in which another thread sends ten values: less than a microsecond.
  package static func spin() {
    let looks = Atomic<Int>(0)
    while looks.add(1, ordering: .relaxed).newValue < 64 {}
  }

  /// Gives another thread time to finish a few instructions that run no user code.
  ///
  /// The first attempts return at once, because the other thread is running on another processor as a rule. Later ones
  /// give the processor away, and then sleep, so that a thread of high priority cannot keep a thread of low priority
  /// from finishing.
  ///
  /// - Parameter attempt: the number of looks so far that found the other thread not done; it rises by one with each
  ///   call.
  package static func pause(_ attempt: Int) {
    switch attempt {
    case ..<64: return
    case ..<128: sched_yield()
    default: usleep(50)
    }
  }

  /// Waits for other threads to finish a few instructions that run no user code, see ``pause(_:)``.
  package static func wait(until isOver: () -> Bool) {
    var attempt = 0
    while !isOver() {
      pause(attempt)
      attempt += 1
    }
  }
}
