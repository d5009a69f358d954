import Dispatch
import Streams

/// A turn of the main actor that any thread may ask for.
@usableFromInline
struct MainTurn: Sendable {
  private let take: @MainActor @Sendable () -> Void

  /// - Parameter take: what is done in the turn.
  @usableFromInline
  init(_ take: @escaping @MainActor @Sendable () -> Void) {
    self.take = take
  }

  /// Asks for the turn. What it does shows what several threads may have changed, so it has no cause.
  @usableFromInline
  func ask() {
    let take = take
    CarriedCause.unknown.startTask { Task(priority: .high) { @MainActor in take() } }
  }
}

/// Tells whether the code that asks runs on the main actor.
///
/// The main actor has no thread of its own on every system: on Linux its queue is emptied by threads that run other
/// code as well. So a thread proves nothing, and the queue itself is asked.
@usableFromInline
enum MainQueue {
  private static let key: DispatchSpecificKey<Bool> = {
    let key = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: key, value: true)
    return key
  }()

  /// Is `true` if this code runs on the main queue.
  ///
  /// - Complexity: O(1).
  @usableFromInline
  static var isCurrent: Bool { DispatchQueue.getSpecific(key: key) == true }
}
