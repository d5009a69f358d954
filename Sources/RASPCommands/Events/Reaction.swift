/// A reaction to the events of a command: one closure for each kind of event, all optional.
///
///     let reaction = Reaction<[Book]>(
///       wait: { spinner.start() },
///       consume: { books in show(books) },
///       rescue: { error in report(error) }
///     )
///     let token = engine.react(to: BookList.self, with: reaction)
///
/// The closures may execute, publish, react and dispose.
///
/// - Concurrency: the closures of one type of command never run at the same time.
public struct Reaction<Output: Sendable>: Sendable {
  /// Called for ``CommandEvent/progress``.
  @usableFromInline let wait: (@Sendable () -> Void)?

  /// Called for each ``CommandEvent/data(_:)``.
  @usableFromInline let consume: (@Sendable (Output) -> Void)?

  /// Called for each ``CommandEvent/error(_:)``.
  @usableFromInline let rescue: (@Sendable (any Error) -> Void)?

  /// Makes a reaction. An event whose closure is missing is skipped.
  @inlinable
  public init(
    wait: (@Sendable () -> Void)? = nil,
    consume: (@Sendable (Output) -> Void)? = nil,
    rescue: (@Sendable (any Error) -> Void)? = nil
  ) {
    self.wait = wait
    self.consume = consume
    self.rescue = rescue
  }

  /// Reacts to an event.
  @inlinable
  package func callAsFunction<CommandType: Command>(_ event: CommandEvent<CommandType>)
  where CommandType.Output == Output {
    switch event {
    case .progress: wait?()
    case .data(let output): consume?(output)
    case .error(let error): rescue?(error)
    }
  }
}

/// The reaction of one execution. It stands among the listeners at the point at which it was registered.
@usableFromInline
final class OwnReaction<CommandType: Command>: Sendable {
  /// The order of the last listener that was registered before it.
  @usableFromInline let order: Int
  @usableFromInline let reaction: Reaction<CommandType.Output>

  @inlinable
  init(after order: Int, _ reaction: Reaction<CommandType.Output>) {
    self.order = order
    self.reaction = reaction
  }
}
