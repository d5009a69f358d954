import Dispatch

/// Tells whether the code that asks runs on the main actor.
///
/// The main actor has no thread of its own on every system: on Linux its queue is emptied by threads that run other
/// code as well. So a thread proves nothing, and the queue itself is asked.
@usableFromInline
package enum MainQueue {
  private static let key: DispatchSpecificKey<Bool> = {
    let key = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: key, value: true)
    return key
  }()

  /// Is `true` if this code runs on the main queue.
  ///
  /// - Complexity: O(1).
  @usableFromInline
  package static var isCurrent: Bool { DispatchQueue.getSpecific(key: key) == true }
}
