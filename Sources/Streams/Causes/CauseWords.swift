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

/// The words of the process that each recorded event looks at, in one object. A hook keeps the way to it, because to
/// find a global variable of another module takes a call each time.
///
/// Safe to share: the words are atomic, and the key does not change.
@usableFromInline
package final class CauseWords: Sendable {
  @usableFromInline package static let shared = CauseWords()

  /// Is `true` once any task has been given a cause. A look at the task is dearer than a look at this.
  @usableFromInline let isUsedByTasks = Atomic<Bool>(false)

  /// The key of the slots of all threads, see ``ThreadCause``. They are freed when their threads end.
  @usableFromInline let key: pthread_key_t

  private init() {
    var key = pthread_key_t()
    let result = pthread_key_create(&key) { slot in
      // The parameter is an optional on some systems.
      let slot: UnsafeMutableRawPointer? = slot
      slot?.deallocate()
    }
    precondition(result == 0, "The process has no key left for what belongs to a thread.")
    self.key = key
  }

  /// The slot of this thread, see ``ThreadCause/slot``.
  @inlinable
  package var slot: UnsafeMutablePointer<CarriedCause> {
    @inline(__always) get {
      guard let slot = pthread_getspecific(key) else { return makeSlot() }
      return slot.assumingMemoryBound(to: CarriedCause.self)
    }
  }

  @usableFromInline
  func makeSlot() -> UnsafeMutablePointer<CarriedCause> {
    let slot = UnsafeMutablePointer<CarriedCause>.allocate(capacity: 1)
    slot.initialize(to: .none)
    let result = pthread_setspecific(key, slot)
    assert(result == 0, "A thread has no room for its slot.")
    return slot
  }
}
