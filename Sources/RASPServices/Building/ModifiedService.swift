/// A service and one modifier around it. All modifiers share this type, so a long chain of modifiers costs the type
/// checker nothing.
struct ModifiedService: PrimitiveService {
  typealias Body = EmptyService

  let content: any Service
  let modify: @MainActor (_ content: any Service, _ context: BuildContext, _ builder: TreeBuilder) -> [Node]

  func nodes(in context: BuildContext, with builder: TreeBuilder) -> [Node] {
    modify(content, context, builder)
  }
}

extension Service {
  /// Builds this service in a context that `change` makes of the context around it.
  func adjustingContext(
    _ label: String,
    _ change: @escaping @MainActor (inout BuildContext, TreeBuilder) -> Void
  ) -> some Service {
    ModifiedService(content: self) { content, context, builder in
      var inner = context
      change(&inner, builder)
      return [Node(label: label, order: inner.order, children: builder.nodes(of: content, in: inner))]
    }
  }

  /// Builds this service with an effect around it, which takes part when an action passes.
  func surrounded(
    _ label: String,
    _ effect: @escaping @MainActor (BuildContext) -> Node.Effect
  ) -> some Service {
    ModifiedService(content: self) { content, context, builder in
      let children = builder.nodes(of: content, in: context)
      return [Node(label: label, effect: effect(context), order: context.order, children: children)]
    }
  }
}
