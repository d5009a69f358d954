extension Service {
  /// Hands a model to the stores of its type under this service. The nearest modifier wins.
  ///
  ///     IdentityService().with(model: identity)
  ///     IdentityService().with(model: mock as any IdentityModel)   // for Store(model: (any IdentityModel).self)
  ///
  /// Several stores under this service share the one model. The type is the static one. A model that no store takes,
  /// and two models of one type on one service, are reported.
  public func with<Model: Sendable>(model: Model) -> some Service {
    modified("with(\(Model.self))") { placement, reader in
      let id = ObjectIdentifier(Model.self)
      let (name, place) = ("\(Model.self)", placement.context.place)
      let provided = Provided(ModelSlot(model), name: name, place: place)
      if let outer = placement.context.models[id], placement.context.modelsHere.contains(id), !outer.isUsed {
        outer.isUsed = true
        reader.report(.ambiguousModel(model: name, place: place))
      }
      placement.context.models[id] = provided
      placement.context.modelsHere.insert(id)
      reader.expectUse(of: provided, or: .unusedModel(model: name, place: place))
    }
  }
}
