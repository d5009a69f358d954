/// Something that happened or should happen, as a value: services react to actions of the types they name.
///
///     enum IdentityAction: Action {
///       case login(name: String)
///       case logout
///     }
///
/// A service that names a type gets exactly the actions of that type, and no others, whatever the type conforms to or
/// inherits from.
public protocol Action: Sendable {}

/// A way to send an action: what handlers get, what `\.send` in the environment is, and what a test replaces with a
/// function that records.
///
///     .mutate(on: StartUpAction.self) { model, action, send in
///       try await send(IdentityAction.restore)
///     }
///
/// From a cluster it does what ``Cluster/send(action:)`` does, without keeping the cluster alive.
public typealias Send = @Sendable (any Action) async throws -> Void

/// A way to send an action, as side effects of a ``Reducer`` know it: the same as ``Send``.
public typealias Dispatch = Send
