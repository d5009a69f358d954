public import Streams

@_exported import enum RASPSupport.OverlapPolicy

/// A service that reacts to actions of a type and needs no model.
///
///     On(PurchaseAction.self) { purchase, send in
///       try await shop.order(purchase.item)
///       try await send(CartAction.empty)
///     }
///
/// - Ordering: reactions to different actions run at the same time, unless ``overlapping(_:by:)`` says otherwise.
/// - Concurrency: the reaction runs off the main actor, unless it says so: `{ @MainActor action, send in … }`.
/// - Errors: if the reaction throws, the action has failed.
public struct On<Input: Action>: Service, TreePart, Sendable {
  /// A primitive service has no body of its own.
  public typealias Body = EmptyService

  private let reaction: nonisolated(nonsending) @Sendable (Input, @escaping Send) async throws -> Void
  private var rule = EffectRule()

  /// Makes a service that reacts to actions of a type.
  ///
  /// - Parameters:
  ///   - type: the type of the actions.
  ///   - reaction: gets the action, and a `send` for other actions.
  public init(
    _ type: Input.Type,
    _ reaction: nonisolated(nonsending) @escaping @Sendable (Input, @escaping Send) async throws -> Void
  ) {
    self.reaction = reaction
  }

  /// Chooses what happens when an action comes while the reaction to another one is running. The standard is
  /// `OverlapPolicy.concurrent`.
  ///
  ///     On(SwitchAction.self) { action, _ in try await lamps.set(action.lamp, to: action.isOn) }
  ///       .overlapping(.newest, by: \.lamp)
  ///
  /// An action of the same key that the reaction itself sends to this service is part of the running reaction, and is
  /// handled at once.
  ///
  /// With `serial` and keys, a reaction must not wait for an action of another key: two that wait for each other never
  /// end. Start a task for it, or set a time limit.
  ///
  /// - Ordering: with `serial`, actions are handled in the order of their arrival.
  /// - Errors: with `newest`, the reaction that is replaced is cancelled, and its `send` throws `CancellationError`.
  ///   With `first`, the `send` of an action that is dropped returns at once.
  /// - Parameters:
  ///   - policy: what happens.
  ///   - key: tells actions apart: the policy holds among those whose keys are equal, and among those that have none.
  ///     Without it, it holds among all. Nothing is kept of a key under which nothing runs or waits.
  public func overlapping(
    _ policy: OverlapPolicy,
    by key: (@Sendable (Input) -> (any Hashable & Sendable)?)? = nil
  ) -> On {
    var service = self
    service.rule.overlap = OverlapRule(policy, by: key)
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
    let name = "On(\(Input.self))"
    let work = ReactionWork(
      send: context.send,
      scope: context.scope,
      effects: reader.effects(rule, of: name, in: context),
      reaction: reaction
    )
    let handler = Handler(on: Input.self, work)
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
      if effects.isFree {
        try await reaction(action, send)
      } else {
        try await effects.run(of: action, in: call) { [reaction, send] in try await reaction(action, send) }
      }
    }
  }
}
