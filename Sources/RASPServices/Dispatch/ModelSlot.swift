import RASPSupport
import Streams

/// The home of a model in a cluster: one slot per ``Service/with(model:)`` and cluster, shared by the stores under it.
final class ModelSlot<Model: Sendable>: Sendable {
  private enum Storage: Sendable {
    /// A value, which one mutation changes at a time.
    case value(AsyncMutex<Model>)
    /// A class instance or an actor, which protects itself. Behind a protocol, a mutation may replace it with a value:
    /// then the mutex lets one mutation in at a time.
    case reference(ModelReference<Model>, AsyncMutex<Void>)
  }

  private let storage: Storage

  init(_ model: Model) {
    if isObject(model) {
      storage = .reference(ModelReference(model), AsyncMutex(()))
    } else {
      storage = .value(AsyncMutex(model))
    }
  }

  /// Runs a synchronous mutation of the model, if the model is free. It cannot send, so it needs no outbox.
  ///
  /// - Returns: `false` if it is not. Then the mutation did not run.
  func mutateNow(in span: CallSpan, scope: Scope?, _ body: (inout Model) throws -> Void) throws -> Bool {
    switch storage {
    case .value(let mutex):
      return try mutex.withLockIfIdle { model in
        try CallContext.$current.withValue(CallContext(span: span, scope: scope)) { try body(&model) }
      }
    case .reference:
      // A reference may have been replaced with a value, and then the mutation may have to wait.
      return false
    }
  }

  /// Runs a mutation of the model, as a section of `call` if the model is a value.
  @inline(__always)  // Saves an asynchronous frame.
  nonisolated(nonsending) func mutate(
    in call: Call,
    scope: Scope?,
    _ body: nonisolated(nonsending) (inout Model) async throws -> Void
  ) async throws {
    switch storage {
    case .value(let mutex):
      try await mutex.withLock { model in
        try await call.runSection(in: scope) { try await body(&model) }
      }
    case .reference(let reference, _) where reference.holdsObject:
      try await call.run(in: scope) { try await reference.mutate(body) }
    case .reference(let reference, let mutex):
      try await mutex.withLock { _ in
        try await call.runSection(in: scope) { try await reference.mutate(body) }
      }
    }
  }
}

/// Returns `true` if a model or a state is an object. The type does not tell, because an existential may hold an object
/// too.
func isObject<Model>(_ model: Model) -> Bool {
  type(of: model as Any) is AnyClass
}

/// A model that began as a reference. Mutations run side by side, each on the reference that it found. A mutation that
/// replaces the reference replaces it for the mutations that begin later.
private final class ModelReference<Model: Sendable>: Sendable {
  private let model: Lock<Model>

  init(_ model: Model) {
    self.model = Lock(model)
  }

  var holdsObject: Bool { isObject(model.withLock { $0 }) }

  nonisolated(nonsending) func mutate(
    _ body: nonisolated(nonsending) (inout Model) async throws -> Void
  ) async throws {
    let found = model.withLock { $0 }
    var changed = found
    defer {
      if changed as AnyObject !== found as AnyObject {
        model.exchange(with: changed)
      }
    }
    try await body(&changed)
  }
}
