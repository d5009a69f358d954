/// The place of the mutations of one store.
struct MutationHome<Model: Sendable>: Sendable {
  let slot: ModelSlot<Model>
  let send: Send
  let scope: Scope?
}

/// A mutation of a model by actions of one type.
final class Mutation<Model: Sendable, A: Action>: HandlerWork, SynchronousWork {
  typealias Waiting = nonisolated(nonsending) @Sendable (inout Model, A, @escaping Send) async throws -> Void

  private let home: MutationHome<Model>
  private let isolation: (any Actor)?
  /// The mutation as a function that never waits; `nil` if it may wait, or belongs to an actor.
  private let immediate: (@Sendable (inout Model, A) throws -> Void)?
  private let waiting: Waiting

  init(
    _ home: MutationHome<Model>,
    _ isolation: (any Actor)?,
    now immediate: (@Sendable (inout Model, A) throws -> Void)?,
    _ waiting: @escaping Waiting
  ) {
    self.home = home
    self.isolation = isolation
    self.immediate = immediate
    self.waiting = waiting
  }

  var synchronous: (any SynchronousWork)? { immediate == nil ? nil : self }

  func runNow(_ action: any Action, in span: CallSpan) throws -> Bool {
    guard let immediate else { return false }
    let action = action.typed(as: A.self)
    return try home.slot.mutateNow(in: span, scope: home.scope) { try immediate(&$0, action) }
  }

  @inline(__always)  // Saves an asynchronous frame.
  nonisolated(nonsending) func run(_ action: any Action, _ call: Call) async throws {
    // A synchronous mutation takes part in a row of steps, too, and the model may be free now.
    if try runNow(action, in: call.span) { return }
    let action = action.typed(as: A.self)
    if let isolation {
      try await isolated(to: isolation) { try await mutate(action, call) }
    } else {
      try await mutate(action, call)
    }
  }

  @inline(__always)  // Saves an asynchronous frame.
  private nonisolated(nonsending) func mutate(_ action: A, _ call: Call) async throws {
    try await home.slot.mutate(in: call, scope: home.scope) { try await waiting(&$0, action, home.send) }
  }
}
