extension Service {
  /// Hands a model to the stores of its type under this. The nearest one wins.
  ///
  ///     IdentityService().with(model: identity)
  ///     IdentityService().with(model: mock as any IdentityModel)   // for Store(model: (any IdentityModel).self)
  ///
  /// Several stores under this share the one model. The type is the static one. A model that no store takes, and two of
  /// one type on one service, are reported.
  public func with<Model: Sendable>(model: Model) -> some Service {
    placed("with(\(Model.self))") { place, building in
      let id = ObjectIdentifier(Model.self)
      let given = Given<any AnyModelSlot>(ModelSlot(model), name: "\(Model.self)", place: place.name)
      if let outer = place.models[id], place.modelsHere.contains(id), !outer.isUsed {
        outer.isUsed = true
        building.report(.ambiguousModel(model: given.name, place: place.name))
      }
      place.models[id] = given
      place.modelsHere.insert(id)
      building.add(given)
    }
  }
}
