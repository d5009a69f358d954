import Streams

/// A slot of a model of whatever type.
protocol AnyModelSlot: Sendable {}

/// Where a model lives in a cluster: one slot per ``Service/with(model:)`` and cluster, shared by the stores under it.
final class ModelSlot<Model: Sendable>: AnyModelSlot {
  private enum Storage: Sendable {
    /// A value, changed in its place by whoever has the turn.
    case value(ConfinedBox<Model>, TurnLine)
    /// An object or an actor, which protects itself. Behind a protocol, a mutation may put a value in its place: whoever
    /// has the turn changes that.
    case reference(ConfinedReference<Model>, TurnLine)
  }

  private let storage: Storage

  init(_ model: Model) {
    if isObject(model) {
      storage = .reference(ConfinedReference(model), TurnLine())
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
    case .reference(let reference, _) where reference.holdsObject:
      try await reference.mutate(body)
    case .reference(let reference, let line):
      try await line.enter()
      defer { line.leave() }
      try await Turn.during(delivery) { try await reference.mutate(body) }
    }
  }
}

/// An existential may hold an object too, so the type alone does not tell.
private func isObject<Model>(_ model: Model) -> Bool {
  type(of: model as Any) is AnyClass
}

/// A model that began as a reference. Mutations run side by side, each on the reference it found; one that puts something
/// else in its place replaces it for those that come later.
final class ConfinedReference<Model: Sendable>: Sendable {
  private let model: Lock<Model>

  init(_ model: Model) {
    self.model = Lock(model)
  }

  var holdsObject: Bool { isObject(model.withLock { $0 }) }

  func mutate(_ body: @Sendable (inout Model) async throws -> Void) async throws {
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
