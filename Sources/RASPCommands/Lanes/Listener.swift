import Streams

/// A listener to the events of a type of command: a reaction, or a subscriber of `events(of:)`.
@usableFromInline
final class Listener<CommandType: Command>: LifetimeEnding {
  /// Rises with each registration.
  @usableFromInline let order: Int
  /// The lane that it is in, which it leaves when its lifetime ends.
  @usableFromInline let lane: Lane<CommandType>
  @usableFromInline let lifetime: Lifetime
  /// Hands the event over; returns `false` if the receiver is gone.
  @usableFromInline let notify: @Sendable (CommandEvent<CommandType>) -> Bool
  /// Returns `true` if the owner is alive; only for listeners with an owner.
  @usableFromInline let isAlive: (@Sendable () -> Bool)?
  /// Called when the engine does not publish any more.
  @usableFromInline let finish: @Sendable () -> Void

  @inlinable
  init(
    order: Int,
    lane: Lane<CommandType>,
    lifetime: Lifetime,
    notify: @escaping @Sendable (CommandEvent<CommandType>) -> Bool,
    isAlive: (@Sendable () -> Bool)?,
    finish: @escaping @Sendable () -> Void
  ) {
    self.order = order
    self.lane = lane
    self.lifetime = lifetime
    self.notify = notify
    self.isAlive = isAlive
    self.finish = finish
  }

  @usableFromInline
  func lifetimeEnded() {
    lane.remove(self)
  }
}

/// The reaction of one execution. It stands among the listeners at the point at which it was registered.
@usableFromInline
final class OwnReaction<CommandType: Command>: Sendable {
  /// The order of the last listener that was registered before it.
  @usableFromInline let order: Int
  @usableFromInline let reaction: Reaction<CommandType.Output>

  @usableFromInline
  init(after order: Int, _ reaction: Reaction<CommandType.Output>) {
    self.order = order
    self.reaction = reaction
  }
}
