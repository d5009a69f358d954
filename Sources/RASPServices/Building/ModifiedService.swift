/// A service and one modifier around it, whatever the modifier: one type, so that a long chain of modifiers costs the
/// type checker nothing.
struct ModifiedService: PrimitiveService {
  typealias Body = EmptyService

  let content: any Service
  let modify: @MainActor (_ content: any Service, _ place: Place, _ building: Building) -> [Node]

  func nodes(at place: Place, in building: Building) -> [Node] {
    modify(content, place, building)
  }
}

extension Service {
  /// This service, built in a place that `change` makes of the one around it.
  func placed(
    _ label: String,
    _ change: @escaping @MainActor (inout Place, Building) -> Void
  ) -> some Service {
    ModifiedService(content: self) { content, place, building in
      var inner = place
      change(&inner, building)
      return [Node(label: label, order: inner.order, children: building.nodes(of: content, at: inner))]
    }
  }

  /// This service, and around it something that happens while an action is on its way.
  func surrounded(
    _ label: String,
    _ effect: @escaping @MainActor (Place) -> Node.Effect
  ) -> some Service {
    ModifiedService(content: self) { content, place, building in
      let children = building.nodes(of: content, at: place)
      return [Node(label: label, effect: effect(place), order: place.order, children: children)]
    }
  }
}
