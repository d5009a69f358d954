/// What to do about the events of a command: one closure for each kind, all optional.
///
///     let reaction = Reaction<[Book]>(
///       wait: { spinner.start() },
///       consume: { books in show(books) },
///       rescue: { error in report(error) }
///     )
///     let token = engine.react(to: BookList.self, with: reaction)
///
/// The closures of one type of command never run twice at once. They may execute, publish, react and dispose.
public struct Reaction<Output: Sendable>: Sendable {
  /// Called for ``CommandEvent/progress``.
  public var wait: (@Sendable () -> Void)?

  /// Called for each ``CommandEvent/data(_:)``.
  public var consume: (@Sendable (Output) -> Void)?

  /// Called for each ``CommandEvent/error(_:)``.
  public var rescue: (@Sendable (any Error) -> Void)?

  /// A reaction; an event whose closure is missing is skipped.
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

  /// Reacts to an event; an engine does that, and so may a test.
  @inlinable
  public func callAsFunction<Subject: Command>(_ event: CommandEvent<Subject>) where Subject.Output == Output {
    switch event {
    case .progress: wait?()
    case .data(let output): consume?(output)
    case .error(let error): rescue?(error)
    }
  }
}
