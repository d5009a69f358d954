/// The reaction of one service to actions of one type, or to all actions.
struct Handler: Sendable {
  typealias Run = nonisolated(nonsending) @Sendable (any Action, Call) async throws -> Void

  /// The type of the actions; `nil` for all actions.
  let kind: ActionKind?
  /// Is `true` if the handler observes only, which does not count as handling.
  var looksOn = false
  let run: Run
  /// Does the same without suspending. Returns `false`, having done nothing, if it would have to wait.
  var runNow: (@Sendable (any Action, CallSpan) throws -> Bool)?

  /// Makes a handler of one type of actions.
  init<A: Action>(
    on type: A.Type,
    _ run: nonisolated(nonsending) @escaping @Sendable (A, Call) async throws -> Void
  ) {
    kind = ActionKind(type)
    self.run = { action, call in
      if let action = action as? A { try await run(action, call) }
    }
  }

  /// Makes a handler of a closure that a user wrote for one type of actions; `@Environment` reads from `scope` in it.
  init<A: Action>(
    on type: A.Type,
    in scope: Scope?,
    _ closure: nonisolated(nonsending) @escaping @Sendable (A) async throws -> Void
  ) {
    self.init(on: type) { action, call in try await call.run(in: scope) { try await closure(action) } }
  }

  /// Makes a handler of a closure that a user wrote for all actions; `@Environment` reads from `scope` in it.
  init(in scope: Scope?, _ closure: nonisolated(nonsending) @escaping @Sendable (any Action) async throws -> Void) {
    kind = nil
    run = { action, call in try await call.run(in: scope) { try await closure(action) } }
  }
}

/// A type of actions.
struct ActionKind: Hashable, Sendable {
  private let type: any Action.Type

  init(_ type: any Action.Type) {
    self.type = type
  }

  var id: ObjectIdentifier { ObjectIdentifier(type) }

  /// The name for people. Making it takes time, so no action waits for it.
  var name: String { String(describing: type) }

  static func == (lhs: Self, rhs: Self) -> Bool { lhs.id == rhs.id }

  func hash(into hasher: inout Hasher) {
    hasher.combine(id)
  }
}
