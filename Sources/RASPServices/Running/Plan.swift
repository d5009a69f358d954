/// The step of a cluster for each type of actions. It is made once and read without a lock.
struct Plan: Sendable {
  private var steps: [ObjectIdentifier: (step: Step?, isHandled: Bool)] = [:]
  /// The step for actions of a type that no service names.
  private let otherwise: Step?

  init(_ root: Node) {
    for kind in root.kinds {
      steps[kind.id] = (Step(root, on: kind), root.handledKinds.contains(kind))
    }
    otherwise = Step(root, on: nil)
  }

  /// The step for a type of actions, and whether a service that names the type does more than observe.
  ///
  /// - Complexity: O(1).
  func step<A: Action>(for type: A.Type) -> (step: Step?, isHandled: Bool) {
    steps[ObjectIdentifier(type)] ?? (otherwise, false)
  }
}
