/// A value that says what happened or what should happen. Services react to actions of the types that they name.
///
///     enum IdentityAction: Action {
///       case login(name: String)
///       case logout
///     }
///
/// A service that names a type gets the actions of exactly that type, whatever the type conforms to or inherits from.
public protocol Action: Sendable {}

/// Sends an action. Handlers get one, `\.send` in the environment is one, and a test replaces it with a function that
/// records.
///
///     .mutate(on: StartUpAction.self) { model, action, send in
///       try await send(IdentityAction.restore)
///     }
///
/// The `send` of a cluster does what ``Cluster/send(action:)`` does. It does not keep the cluster alive.
///
/// - Errors: the `send` of a cluster throws what ``Cluster/send(action:)`` throws, and ``ClusterError/released`` once
///   the cluster is gone.
public typealias Send = @Sendable (any Action) async throws -> Void

/// A name of Trellis.
@available(*, unavailable, renamed: "Send")
public typealias Dispatch = Send
