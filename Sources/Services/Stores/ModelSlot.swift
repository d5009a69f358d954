import Streams

/// A slot of a model of whatever type.
protocol AnyModelSlot: Sendable {}

/// Where a model lives in a cluster: one slot per ``Service/with(model:)`` and cluster, shared by the stores under it.
final class ModelSlot<Model: Sendable>: AnyModelSlot {
  private enum Storage: Sendable {
    /// A value, changed in its place by whoever has the turn.
    case value(ConfinedBox<Model>, TurnLine)
    /// An object or an actor, which protects itself.
    case reference(ConfinedReference<Model>)
  }

  private let storage: Storage

  init(_ model: Model) {
    // An existential may hold an object too, so the type alone does not tell.
    if type(of: model as Any) is AnyClass {
      storage = .reference(ConfinedReference(model))
    } else {
      storage = .value(ConfinedBox(model), TurnLine())
    }
  }

  /// Runs a mutation of the model, as a turn of `delivery` if the model is a value.
  func mutate(
    in delivery: Delivery,
    _ body: @Sendable (inout Model) async throws -> Void
  ) async throws {
    switch storage {
    case .value(let box, let line):
      try await line.enter()
      defer { line.leave() }
      try await Turn.during(delivery) { try await body(&box.storage.value) }
    case .reference(let reference):
      try await reference.mutate(body)
    }
  }
}

/// A model that is a reference. Mutations run side by side, each on the reference it found; one that puts another object in
/// its place replaces it for those that come later.
final class ConfinedReference<Model: Sendable>: Sendable {
  private let model: Lock<Model>

  init(_ model: Model) {
    self.model = Lock(model)
  }

  func mutate(_ body: @Sendable (inout Model) async throws -> Void) async throws {
    let found = model.withLock { $0 }
    var changed = found
    defer {
      if changed as AnyObject !== found as AnyObject {
        var replaced = changed
        model.withLock { swap(&$0, &replaced) }
      }
    }
    try await body(&changed)
  }
}
