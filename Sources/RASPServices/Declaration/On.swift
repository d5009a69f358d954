public import Streams

@_exported import enum RASPSupport.OverlapPolicy

/// A service that reacts to actions of a type and needs no model.
///
///     On(PurchaseAction.self) { purchase, send in
///       try await shop.order(purchase.item)
///       try await send(CartAction.empty)
///     }
///
/// - Ordering: reactions to different actions run at the same time, unless ``overlapping(_:)`` says otherwise.
/// - Concurrency: the reaction runs off the main actor, unless it says so: `{ @MainActor action, send in … }`.
/// - Errors: if the reaction throws, the action has failed.
public struct On: Service, TreePart, Sendable {
  /// A primitive service has no body of its own.
  public typealias Body = EmptyService

  private let name: String
  private let handler: @Sendable (_ send: @escaping Send, _ scope: Scope?, _ effects: EffectRunner) -> Handler
  private var rule = EffectRule()

  /// Makes a service that reacts to actions of a type.
  ///
  /// - Parameters:
  ///   - type: the type of the actions.
  ///   - reaction: gets the action, and a `send` for other actions.
  public init<A: Action>(
    _ type: A.Type,
    _ reaction: nonisolated(nonsending) @escaping @Sendable (A, @escaping Send) async throws -> Void
  ) {
    name = "On(\(A.self))"
    handler = { send, scope, effects in
      Handler(on: type, ReactionWork(send: send, scope: scope, effects: effects, reaction: reaction))
    }
  }

  /// Chooses what happens when an action comes while the reaction to another one is running. The standard is
  /// `OverlapPolicy.concurrent`.
  ///
  /// An action that the reaction itself sends to this service is part of the running reaction, and is handled at once.
  ///
  /// - Ordering: with `serial`, actions are handled in the order of their arrival.
  /// - Errors: with `newest`, the reaction that is replaced is cancelled, and its `send` throws `CancellationError`.
  ///   With `first`, the `send` of an action that is dropped returns at once.
  public func overlapping(_ policy: OverlapPolicy) -> On {
    var service = self
    service.rule.policy = policy
    return service
  }

  /// Sets how long one reaction may take. One that takes longer is cancelled.
  ///
  /// - Errors: the `send` of the action throws ``EffectTimeoutError`` as soon as the time is over, even if the reaction
  ///   goes on although it is cancelled.
  /// - Parameters:
  ///   - limit: the longest time.
  ///   - scheduler: the source of time.
  public func timeLimit(_ limit: Duration, on scheduler: any Scheduler = .continuous) -> On {
    var service = self
    service.rule.limit = (limit, scheduler)
    return service
  }

  func place(in context: BuildContext, of reader: TreeReader) -> Placement {
    let handler = handler(context.send, context.scope, EffectRunner(rule))
    return Placement(label: PlaceLabel(name: name), handlers: [handler], context: context)
  }
}

/// The reaction of an ``On`` at its place in the tree.
private final class ReactionWork<A: Action>: HandlerWork {
  private let send: Send
  private let scope: Scope?
  private let effects: EffectRunner
  private let reaction: nonisolated(nonsending) @Sendable (A, @escaping Send) async throws -> Void

  init(
    send: @escaping Send,
    scope: Scope?,
    effects: EffectRunner,
    reaction: nonisolated(nonsending) @escaping @Sendable (A, @escaping Send) async throws -> Void
  ) {
    self.send = send
    self.scope = scope
    self.effects = effects
    self.reaction = reaction
  }

  @inline(__always)  // Saves an asynchronous frame.
  nonisolated(nonsending) func run(_ action: any Action, _ call: Call) async throws {
    let action = action.typed(as: A.self)
    try await call.run(in: scope) {
      if effects.lets(runAtOnce: call) {
        try await reaction(action, send)
      } else {
        try await effects.run(in: call) { [reaction, send] in try await reaction(action, send) }
      }
    }
  }
}
