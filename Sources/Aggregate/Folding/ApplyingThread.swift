#if DEBUG
  #if canImport(Darwin)
    import Darwin
  #elseif canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #elseif canImport(Android)
    import Android
  #endif

  /// Whether this thread is inside the fold of an aggregator. Only a debug build knows it.
  ///
  /// It is kept for each thread as a number, in the place of a pointer: folds are inside one another where the `apply`
  /// of one aggregator sends to another.
  @usableFromInline
  enum ApplyingThread {
    private static let key: pthread_key_t = {
      var key = pthread_key_t()
      let result = pthread_key_create(&key, nil)
      precondition(result == 0, "The process has no key left for what belongs to a thread.")
      return key
    }()

    private static var depth: Int { Int(bitPattern: pthread_getspecific(key)) }

    @usableFromInline static var isThis: Bool { depth > 0 }

    @usableFromInline
    static func begin() {
      pthread_setspecific(key, UnsafeMutableRawPointer(bitPattern: depth + 1))
    }

    @usableFromInline
    static func end() {
      assert(depth > 0, "A thread leaves a fold that it has not begun.")
      pthread_setspecific(key, UnsafeMutableRawPointer(bitPattern: depth - 1))
    }
  }
#endif
