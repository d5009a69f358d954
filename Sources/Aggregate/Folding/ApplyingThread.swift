#if DEBUG
  import RASPPrimitives

  /// Whether this thread is inside the fold of an aggregator. Only a debug build knows it.
  ///
  /// It is kept for each thread as a number, in the place of a pointer: folds are inside one another where the `apply`
  /// of one aggregator sends to another.
  @usableFromInline
  enum ApplyingThread {
    private static let slot = ThreadSlot()

    private static var depth: Int {
      get { Int(bitPattern: slot.pointer) }
      set { slot.pointer = UnsafeMutableRawPointer(bitPattern: newValue) }
    }

    @usableFromInline static var isThis: Bool { depth > 0 }

    @usableFromInline
    static func begin() { depth += 1 }

    @usableFromInline
    static func end() {
      assert(depth > 0, "A thread leaves a fold that it has not begun.")
      depth -= 1
    }
  }
#endif
