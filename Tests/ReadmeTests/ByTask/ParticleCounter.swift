import Streams

/// A device with callbacks, which are registered and unregistered.
final class ParticleCounter: Sendable {
  private let callbacks = Lock<(last: Int, all: [Int: @Sendable (Double) -> Void])>((0, [:]))

  var callbackCount: Int { callbacks.withLock { $0.all.count } }

  func register(_ callback: @escaping @Sendable (Double) -> Void) -> Int {
    callbacks.withLock { callbacks in
      callbacks.last += 1
      callbacks.all[callbacks.last] = callback
      return callbacks.last
    }
  }

  func unregister(_ id: Int) {
    let removed = callbacks.withLock { $0.all.removeValue(forKey: id) }
    _ = consume removed
  }

  func count(_ particles: Double) {
    for callback in callbacks.withLock({ Array($0.all.values) }) { callback(particles) }
  }
}
