import RASPNATS
import Streams
import Synchronization

/// What the log does to a reader from outside: have it read again from its offset.
///
/// Safe to share: what changes is behind the lock.
final class ReaderHandle: Sendable {
  private struct Present: Sendable {
    var subscription: NATSSubscription?
    var isWaiting = false
    var hasHeard = false
  }

  private let present = Mutex(Present())

  /// The reader has another subscription now, or none.
  func use(_ subscription: NATSSubscription?) {
    let old = present.withLock { present in
      defer { present = Present(subscription: subscription) }
      return present.subscription
    }
    old?.unsubscribe()
  }

  func waits(_ isWaiting: Bool) {
    present.withLock { present in
      present.isWaiting = isWaiting
      present.hasHeard = true
    }
  }

  /// Ends the wait of the reader, which then subscribes anew.
  func interrupt() { present.withLock { $0.subscription }?.unsubscribe() }

  /// Interrupts the reader if it has waited since the last call, and nothing has come: not even a heartbeat.
  func interruptIfSilent() {
    let silent = present.withLock { present -> NATSSubscription? in
      defer { present.hasHeard = false }
      return present.isWaiting && !present.hasHeard ? present.subscription : nil
    }
    silent?.unsubscribe()
  }
}

/// The readers of a log that are there now.
///
/// Safe to share: what changes is behind the lock.
final class Readers: Sendable {
  private struct Weak: Sendable { weak var handle: ReaderHandle? }

  private let handles = Mutex<[ObjectIdentifier: Weak]>([:])

  func add(_ handle: ReaderHandle) { handles.withLock { $0[ObjectIdentifier(handle)] = Weak(handle: handle) } }

  func remove(_ handle: ReaderHandle) { _ = handles.withLock { $0.removeValue(forKey: ObjectIdentifier(handle)) } }

  var all: [ReaderHandle] { handles.withLock { $0.values.compactMap(\.handle) } }
}
