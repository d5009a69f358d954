/// What a cluster does with each type of actions. Made once, read without a lock.
struct Plan: Sendable {
  private var steps: [ObjectIdentifier: Step] = [:]
  /// For actions of a type that nobody names.
  private let otherwise: Step?

  init(_ root: Node) {
    for kind in root.kinds { steps[kind.id] = Step(root, on: kind) }
    otherwise = Step(root, on: nil)
  }

  /// What to do, and whether somebody named the type.
  func step<A: Action>(for type: A.Type) -> (step: Step?, isHandled: Bool) {
    if let step = steps[ObjectIdentifier(type)] { (step, true) } else { (otherwise, false) }
  }
}
