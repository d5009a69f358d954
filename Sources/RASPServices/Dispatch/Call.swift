import Streams

/// The position of the running code in clusters.
struct CallContext: Sendable {
  /// Each task has its own value; calls and child tasks inherit it.
  @TaskLocal static var current = CallContext()

  /// The span of which the running code is part.
  var span: CallSpan?
  /// The services around the running code, for `@Environment`.
  var scope: Scope?
  /// The dispatch whose outbox takes what the running code sends while `span` is open. It is there in a section: a
  /// mutation of a value, or a call of a watcher. If a section waited for an action that comes back to the same model,
  /// it would wait for ever.
  var postponing: CallSpan?

  /// Runs `body` in this context, where the caller runs.
  @inline(__always)  // Saves an asynchronous frame.
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

/// A piece of work of a cluster as the code knows it that takes part: the span, and the dispatch whose outbox takes
/// what is postponed in it.
struct Call: Sendable {
  let span: CallSpan
  let postponing: CallSpan

  /// Runs code of a user, whose `@Environment` properties read from `scope`.
  @inline(__always)  // Saves an asynchronous frame.
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
  @inline(__always)  // Saves an asynchronous frame.
  nonisolated(nonsending) func runSection(
    in scope: Scope?,
    _ body: nonisolated(nonsending) () async throws -> Void
  ) async throws {
    let section = CallSpan(.work, of: span.cluster, in: span)
    defer { section.close() }
    try await CallContext(span: section, scope: scope, postponing: postponing).run(on: #isolation, body)
  }

  /// Runs `body`, which cannot throw, as a section.
  nonisolated(nonsending) func runSection(in scope: Scope?, _ body: nonisolated(nonsending) () async -> Void) async {
    let section = CallSpan(.work, of: span.cluster, in: span)
    defer { section.close() }
    let context = CallContext(span: section, scope: scope, postponing: postponing)
    await CallContext.$current.withValue(context, operation: body)
  }
}

/// Runs `body` on an actor; without one, off all actors.
func isolated(
  to actor: isolated (any Actor)?,
  _ body: nonisolated(nonsending) () async throws -> Void
) async throws {
  try await body()
}
