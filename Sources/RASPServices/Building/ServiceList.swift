/// What a ``ServiceBuilder`` makes: services side by side, without a place of their own in the tree.
public struct ServiceList: Service, PrimitiveService {
  /// A primitive service has no body of its own.
  public typealias Body = EmptyService

  let services: [any Service]

  init(_ services: [any Service]) {
    self.services = services
  }

  func nodes(at place: Place, in building: Building) -> [Node] {
    services.flatMap { building.nodes(of: $0, at: place.besides) }
  }
}
