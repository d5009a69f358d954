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

  /// Asks for the turn. What it does shows what several threads may have changed, so it has no cause, and is part of
  /// nothing.
  @usableFromInline
  func ask() {
    let take = take
    OngoingWork.leave { _ = CarriedCause.unknown.startTask { Task(priority: .high) { @MainActor in take() } } }
  }
}
