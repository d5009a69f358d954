/// What a cluster does with each type of actions. Made once, read without a lock.
struct Plan: Sendable {
  private var steps: [ObjectIdentifier: (step: Step?, isHandled: Bool)] = [:]
  /// For actions of a type that nobody names.
  private let otherwise: Step?

  init(_ root: Node) {
    for kind in root.kinds {
      steps[kind.id] = (Step(root, on: kind), root.handledKinds.contains(kind))
    }
    otherwise = Step(root, on: nil)
  }

  /// What to do, and whether somebody who named the type does more than look on.
  func step<A: Action>(for type: A.Type) -> (step: Step?, isHandled: Bool) {
    steps[ObjectIdentifier(type)] ?? (otherwise, false)
  }
}
