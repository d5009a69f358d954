/// The reaction of one service to actions of one type, or to all actions.
struct Handler: Sendable {
  /// The type of the actions; `nil` for all actions.
  let kind: ActionKind?
  /// Is `true` if the handler observes only, which does not count as handling.
  let looksOn: Bool
  let work: any HandlerWork

  /// Makes a handler of one type of actions.
  init<A: Action>(on type: A.Type, looksOn: Bool = false, _ work: any HandlerWork) {
    kind = ActionKind(type)
    self.looksOn = looksOn
    self.work = work
  }

  /// Makes a handler of all actions.
  init(_ work: any HandlerWork) {
    kind = nil
    looksOn = true
    self.work = work
  }

  /// Runs the handler.
  ///
  /// - Returns: `nil` if nothing failed.
  @inline(__always)  // Saves an asynchronous frame.
  nonisolated(nonsending) func run(_ action: any Action, _ call: Call) async -> Failures? {
    do {
      try await work.run(action, call)
      return nil
    } catch is ReplacedEffect {
      return Failures(CancellationError(), isFinal: true)
    } catch {
      return Failures(error)
    }
  }
}

/// The code of a handler, whatever its types. It is given actions of the handler's kind only.
///
/// A protocol of objects and not a closure, because an asynchronous call of a closure that captures takes two frames,
/// and that of a method one.
protocol HandlerWork: AnyObject, Sendable {
  /// Runs the code.
  nonisolated(nonsending) func run(_ action: any Action, _ call: Call) async throws

  /// The same code without asynchronous frames; `nil` if it may have to wait for something else than its model.
  var synchronous: (any SynchronousWork)? { get }
}

extension HandlerWork {
  var synchronous: (any SynchronousWork)? { nil }
}

/// The code of a handler that never waits, but for its model.
///
/// It is there beside ``HandlerWork/run(_:_:)`` because an action that one free model takes needs fewer instructions
/// without asynchronous frames: 3,100 and not 4,000, and if the cluster is recorded 3,600 and not 6,900.
protocol SynchronousWork: AnyObject, Sendable {
  /// Runs the code. Returns `false`, having done nothing, if it would have to wait.
  func runNow(_ action: any Action, in span: CallSpan) throws -> Bool
}

/// A closure that a user wrote for actions of one type. `@Environment` reads from `scope` in it.
final class UserWork<A: Action>: HandlerWork {
  private let scope: Scope?
  private let closure: nonisolated(nonsending) @Sendable (A) async throws -> Void

  init(in scope: Scope?, _ closure: nonisolated(nonsending) @escaping @Sendable (A) async throws -> Void) {
    self.scope = scope
    self.closure = closure
  }

  @inline(__always)  // Saves an asynchronous frame.
  nonisolated(nonsending) func run(_ action: any Action, _ call: Call) async throws {
    try await call.run(in: scope) { try await closure(action.typed(as: A.self)) }
  }
}

/// A closure that a user wrote for all actions. `@Environment` reads from `scope` in it.
final class UserWorkForAll: HandlerWork {
  private let scope: Scope?
  private let closure: nonisolated(nonsending) @Sendable (any Action) async throws -> Void

  init(in scope: Scope?, _ closure: nonisolated(nonsending) @escaping @Sendable (any Action) async throws -> Void) {
    self.scope = scope
    self.closure = closure
  }

  @inline(__always)  // Saves an asynchronous frame.
  nonisolated(nonsending) func run(_ action: any Action, _ call: Call) async throws {
    try await call.run(in: scope) { try await closure(action) }
  }
}

extension Action {
  /// This action as one of type `A`, which it is: a handler gets actions of its kind only.
  @inline(__always)
  func typed<A: Action>(as type: A.Type) -> A {
    // The plan has looked the type up. A cast would do that again, and so would an optional of it.
    Self.self == A.self ? unsafeBitCast(self, to: A.self) : cast(to: A.self)
  }

  /// This action, if it is an object whose type is a subclass of the one that it was sent as.
  @inline(never)  // The optional of the type is looked up where it is used, and nowhere else.
  private func cast<A: Action>(to type: A.Type) -> A {
    guard let action = self as? A else { preconditionFailure("A handler gets an action of another type.") }
    return action
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
