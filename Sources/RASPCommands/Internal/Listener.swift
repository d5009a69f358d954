import Streams

/// One who hears of the events of a type of command: a reaction, or a subscriber of `events(of:)`.
@usableFromInline
final class Listener<Subject: Command>: Sendable {
  /// Rises with each registration.
  @usableFromInline let order: Int
  @usableFromInline let lifetime: Lifetime
  /// Hands the event over; `false` if there is nobody left to hear it.
  @usableFromInline let notify: @Sendable (CommandEvent<Subject>) -> Bool
  /// Whether there is anybody left to hear events; only for those with an owner.
  @usableFromInline let isAlive: (@Sendable () -> Bool)?
  /// The engine does not publish any more.
  @usableFromInline let finish: @Sendable () -> Void

  @inlinable
  init(
    order: Int,
    lifetime: Lifetime,
    notify: @escaping @Sendable (CommandEvent<Subject>) -> Bool,
    isAlive: (@Sendable () -> Bool)?,
    finish: @escaping @Sendable () -> Void
  ) {
    self.order = order
    self.lifetime = lifetime
    self.notify = notify
    self.isAlive = isAlive
    self.finish = finish
  }
}

/// The reaction of one execution. It takes its turn among the others by when it was registered.
@usableFromInline
struct OwnReaction<Subject: Command>: Sendable {
  /// The order of the last listener that was registered before it.
  @usableFromInline let order: Int
  @usableFromInline let reaction: Reaction<Subject.Output>

  @inlinable
  init(after order: Int, _ reaction: Reaction<Subject.Output>) {
    self.order = order
    self.reaction = reaction
  }
}
