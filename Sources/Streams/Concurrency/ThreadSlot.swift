#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

/// A place that each thread has for itself, for a pointer or a number. It is kept for the whole life of the process.
package struct ThreadSlot: Sendable {
  private let key: pthread_key_t

  package init() {
    var key = pthread_key_t()
    let result = pthread_key_create(&key, nil)
    precondition(result == 0, "The process has no key left for what belongs to a thread.")
    self.key = key
  }

  /// What this thread has put there; `nil` at first.
  package var pointer: UnsafeMutableRawPointer? {
    get { pthread_getspecific(key) }
    nonmutating set {
      let result = pthread_setspecific(key, newValue)
      assert(result == 0, "A thread has no room for its slot.")
    }
  }
}
