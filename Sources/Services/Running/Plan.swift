/// What a cluster does with each type of actions. Made once, read without a lock.
struct Plan: Sendable {
  private var steps: [ActionKind: Step] = [:]
  /// For actions of a type that nobody names.
  private let otherwise: Step?

  init(_ root: Node) {
    for kind in root.kinds { steps[kind] = Step(root, on: kind) }
    otherwise = Step(root, on: nil)
  }

  /// What to do, and whether somebody named the type.
  func step(for kind: ActionKind) -> (step: Step?, isHandled: Bool) {
    if let step = steps[kind] { (step, true) } else { (otherwise, false) }
  }
}
