import Streams
import Synchronization

/// A handler of any type, as closures. They are made in inlinable code that knows the type of the handler, so that
/// calling one is not a call through a witness table.
///
/// A handler may be written with or without `async`, which its type does not tell. So it is called without a task
/// first. If it answers that it waits, it has done nothing yet, and it is called in tasks from then on.
///
/// Safe to share: `waits` is atomic and only becomes `true`.
@usableFromInline
final class AnyHandler<CommandType: Command>: Sendable {
  @usableFromInline typealias Immediate = @Sendable (CommandType, Publisher<CommandType>) throws -> CommandType.Output
  @usableFromInline typealias Waiting =
    @Sendable (CommandType, Publisher<CommandType>) async throws -> CommandType.Output

  @usableFromInline let immediate: Immediate
  @usableFromInline let waiting: Waiting
  @usableFromInline let waits: Atomic<Bool>

  /// - Parameter waits: is `true` if the handler is known to wait.
  @usableFromInline
  init(immediate: @escaping Immediate, waiting: @escaping Waiting, waits: Bool) {
    self.immediate = immediate
    self.waiting = waiting
    self.waits = Atomic(waits)
  }

  @inlinable
  convenience init(immediate: @escaping Immediate) {
    self.init(immediate: immediate, waiting: { try immediate($0, $1) }, waits: false)
  }

  @inlinable
  convenience init(waiting: @escaping Waiting) {
    self.init(immediate: { _, _ in throw HandlerWaits() }, waiting: waiting, waits: true)
  }

  /// Calls the handler without a task.
  ///
  /// - Returns: the outcome; `nil` if the handler waits.
  @inlinable
  @inline(__always)
  func callNow(_ command: CommandType, _ publisher: Publisher<CommandType>) -> Outcome<CommandType.Output>? {
    if waits.load(ordering: .relaxed) { return nil }
    do {
      return .handled(try immediate(command, publisher))
    } catch {
      return note(error)
    }
  }

  @usableFromInline
  func note(_ error: any Error) -> Outcome<CommandType.Output>? {
    guard error is HandlerWaits else { return .failed(error) }
    waits.store(true, ordering: .relaxed)
    return nil
  }

  /// Calls the handler where asynchronous functions run, which is not the actor of the caller.
  @inlinable
  @inline(__always)  // Saves an asynchronous frame.
  nonisolated(nonsending) func call(
    _ command: CommandType,
    _ publisher: Publisher<CommandType>
  ) async -> Outcome<CommandType.Output> {
    do { return .handled(try await waiting(command, publisher)) } catch { return .failed(error) }
  }

  // MARK: Built in

  /// The handler of an ``ActionCommand``, which is the command itself; `nil` for other commands. This is looked up once
  /// for each type of command.
  static func builtIn() -> AnyHandler? {
    guard let type = CommandType.self as? any ActionCommand.Type else { return nil }
    return action(type) as? AnyHandler
  }

  /// The type is erased because the compiler does not know that it is `CommandType`.
  private static func action<A: ActionCommand>(_: A.Type) -> any Sendable {
    AnyHandler<A>(
      immediate: { action, publisher in try action.handle(publish: publisher) },
      waiting: { action, publisher in try await action.handle(publish: publisher) },
      waits: false
    )
  }
}

/// The handler of a type of command, and the number of registrations so far, so that a registration removes its own
/// handler only.
@usableFromInline
struct HandlerSlot<CommandType: Command>: Sendable {
  @usableFromInline private(set) var handler: AnyHandler<CommandType>?
  private(set) var registration = 0

  init(_ handler: AnyHandler<CommandType>?) {
    self.handler = handler
  }

  /// - Returns: the handler that was there, to be released after unlocking.
  mutating func put(_ newcomer: AnyHandler<CommandType>?) -> AnyHandler<CommandType>? {
    defer {
      handler = newcomer
      registration += 1
    }
    return handler
  }
}
