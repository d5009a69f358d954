/// A service and one modifier around it. All modifiers have this form and this type, so a long chain of modifiers costs
/// the type checker nothing.
struct ModifiedService: Service, TreePart {
  typealias Body = EmptyService

  let content: any Service
  let label: String
  /// Changes the placement of the modifier: the context of the services under it, or what the modifier itself does.
  let modify: @MainActor (inout Placement, TreeReader) -> Void

  func place(in context: BuildContext, of reader: TreeReader) -> Placement {
    var placement = Placement(label: PlaceLabel(modifier: label), context: context, parts: [content.part])
    modify(&placement, reader)
    return placement
  }
}

extension Service {
  /// Puts a modifier around this service.
  func modified(
    _ label: String,
    _ modify: @escaping @MainActor (inout Placement, TreeReader) -> Void
  ) -> some Service {
    ModifiedService(content: self, label: label, modify: modify)
  }
}

/// Services side by side, which modifiers treat as one.
///
///     Group {
///       IdentityService()
///       ArticlesService()
///     }
///     .serial()
///     .transformError { ErrorAction.error($0) }
///
/// - Ordering: the services that react to an action get it at the same time. Under
///   ``Service/serial(stoppingAtErrors:)`` they get it one after the other.
public struct Group: Service, TreePart {
  /// A primitive service has no body of its own.
  public typealias Body = EmptyService

  private let content: any Service

  /// Makes a group of the services in the braces.
  public init(@ServiceBuilder content: () -> some Service) {
    self.content = content()
  }

  func place(in context: BuildContext, of reader: TreeReader) -> Placement {
    Placement(label: PlaceLabel(name: "Group"), context: context.inside("Group"), parts: [content.part])
  }
}
