import Streams

/// The position of the running code in clusters.
struct CallContext: Sendable {
  /// Each task has its own value; calls and child tasks inherit it.
  @TaskLocal static var current = CallContext()

  /// The span of which the running code is part.
  var span: CallSpan?
  /// The services around the running code, for `@Environment`.
  var scope: Scope?
  /// Takes what the running code sends while `span` is open. It is there in a section: a mutation of a value, or a call
  /// of a watcher. If a section waited for an action that comes back to the same model, it would wait for ever.
  var outbox: Outbox?

  /// Runs `body` in this context, where the caller runs.
  func run(
    on actor: isolated (any Actor)?,
    _ body: nonisolated(nonsending) () async throws -> Void
  ) async throws {
    try await Self.$current.withValue(self) {
      // The closure runs on the actor because it uses it. The function by itself would run off all actors.
      _ = actor
      try await body()
    }
  }
}

/// A piece of work of a cluster as the code knows it that takes part: the span, and the line of the actions that are
/// postponed in it.
struct Call: Sendable {
  let span: CallSpan
  let outbox: Outbox

  /// Runs code of a user, whose `@Environment` properties read from `scope`.
  nonisolated(nonsending) func run(
    in scope: Scope?,
    _ body: nonisolated(nonsending) () async throws -> Void
  ) async throws {
    try await CallContext(span: span, scope: scope).run(on: #isolation, body)
  }

  /// Runs code of a user on the main actor, while the cluster is made.
  @MainActor
  func runOnMainActor(in scope: Scope?, _ body: @MainActor () async throws -> Void) async throws {
    try await CallContext.$current.withValue(CallContext(span: span, scope: scope), operation: body)
  }

  /// Runs `body` as a section, in which everything that is sent is postponed.
  nonisolated(nonsending) func runSection(
    in scope: Scope?,
    _ body: nonisolated(nonsending) () async throws -> Void
  ) async throws {
    let section = CallSpan(.work, of: span.cluster, in: span)
    defer { section.close() }
    try await CallContext(span: section, scope: scope, outbox: outbox).run(on: #isolation, body)
  }

  /// Runs `body`, which cannot throw, as a section.
  nonisolated(nonsending) func runSection(in scope: Scope?, _ body: nonisolated(nonsending) () async -> Void) async {
    let section = CallSpan(.work, of: span.cluster, in: span)
    defer { section.close() }
    await CallContext.$current.withValue(CallContext(span: section, scope: scope, outbox: outbox), operation: body)
  }
}

/// Runs `body` on an actor; without one, off all actors.
func isolated(
  to actor: isolated (any Actor)?,
  _ body: nonisolated(nonsending) () async throws -> Void
) async throws {
  try await body()
}

/// The line of actions that were sent in the sections of one dispatch. They are sent when the dispatched action has
/// reached all its services.
///
/// Safe to share: the line is behind the lock.
final class Outbox: Sendable {
  /// Sends one action. Its argument is the call that sends it, and whose outbox takes what it postpones in turn.
  typealias Postponed = @Sendable (_ first: Call) async -> Failures?

  /// `nil` once the dispatch is over.
  private let line = Lock<[Postponed]?>([])

  /// Adds an action to the end of the line.
  ///
  /// - Returns: `false` if the dispatch is over. Then the action must be sent at once.
  func add(_ action: @escaping Postponed) -> Bool {
    line.withLock { line in
      line?.append(action)
      return line != nil
    }
  }

  /// Closes the outbox, unless actions wait in it.
  func closeIfEmpty() -> Bool {
    line.withLock { line in
      if line?.isEmpty == true { line = nil }
      return line == nil
    }
  }

  /// Sends the actions in the line, one after the other, and the actions that these postpone. However many follow, they
  /// take no more stack or memory than the first. Then the outbox is closed.
  nonisolated(nonsending) func sendAll(in call: Call) async -> Failures? {
    var failures: Failures?
    while let batch = takeBatch() {
      for send in batch { failures.add(await send(call)) }
    }
    return failures
  }

  /// Takes the line out; closes the outbox if the line is empty.
  private func takeBatch() -> [Postponed]? {
    line.withLock { line in
      if line?.isEmpty ?? true {
        line = nil
        return nil
      }
      defer { line = [] }
      return line
    }
  }
}
