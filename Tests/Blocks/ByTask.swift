// What the blocks of the article "Programs by task" use and do not show.

/// A device with callbacks, which are registered and unregistered.
struct ParticleCounter: Sendable {
  func register(_ callback: @escaping @Sendable (Double) -> Void) -> Int { 0 }
  func unregister(_ id: Int) {}
}
