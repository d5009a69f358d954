extension Service {
  /// Hands a model to the stores of its type under this service. The nearest modifier wins.
  ///
  ///     IdentityService().with(model: identity)
  ///     IdentityService().with(model: mock as any IdentityModel)   // for Store(model: (any IdentityModel).self)
  ///
  /// Several stores under this service share the one model. The type is the static one. A model that no store takes,
  /// and two models of one type on one service, are reported.
  public func with<Model: Sendable>(model: Model) -> some Service {
    adjustingContext("with(\(Model.self))") { context, builder in
      let id = ObjectIdentifier(Model.self)
      let provided = Provided<any AnyModelSlot>(ModelSlot(model), name: "\(Model.self)", place: context.place)
      if let outer = context.models[id], context.modelsHere.contains(id), !outer.isUsed {
        outer.isUsed = true
        builder.report(.ambiguousModel(model: provided.name, place: context.place))
      }
      context.models[id] = provided
      context.modelsHere.insert(id)
      builder.add(provided)
    }
  }
}
