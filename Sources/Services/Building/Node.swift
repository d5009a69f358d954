/// One place of a tree that has been read: a service, or a modifier around the services below it.
struct Node: Sendable {
  /// What a modifier does with an action on its way.
  enum Effect: Sendable {
    case before(Handler)
    case after(Handler)
    case transformError(ErrorTransform)
  }

  /// The name of a service; `nil` for a modifier.
  var name: String?
  /// What a modifier is called in descriptions.
  var label: String?
  /// What this service itself does, in the order it was said.
  var handlers: [Handler] = []
  var effect: Effect?
  /// How the children get an action.
  var order: ExecutionOrder
  var children: [Node] = []
  /// A remark for descriptions.
  var remark: String?

  /// The action types to which something reacts here or below.
  let kinds: Set<ActionKind>
  /// Whether something here or below reacts to all actions.
  let takesEverything: Bool

  init(
    name: String? = nil,
    label: String? = nil,
    handlers: [Handler] = [],
    effect: Effect? = nil,
    order: ExecutionOrder = .concurrent,
    children: [Node] = [],
    remark: String? = nil
  ) {
    self.name = name
    self.label = label
    self.handlers = handlers
    self.effect = effect
    self.order = order
    self.children = children
    self.remark = remark
    var own = handlers
    if case .before(let handler) = effect { own.append(handler) }
    if case .after(let handler) = effect { own.append(handler) }
    kinds = children.reduce(into: Set(own.compactMap(\.kind))) { $0.formUnion($1.kinds) }
    takesEverything = own.contains { $0.kind == nil } || children.contains { $0.takesEverything }
  }
}

/// A type of actions.
struct ActionKind: Hashable, Sendable {
  let id: ObjectIdentifier
  let name: String

  init<A: Action>(_ type: A.Type) {
    id = ObjectIdentifier(type)
    name = String(describing: type)
  }

  static func == (lhs: Self, rhs: Self) -> Bool { lhs.id == rhs.id }

  func hash(into hasher: inout Hasher) {
    hasher.combine(id)
  }
}

/// What one service does with actions of one type, or with all of them.
struct Handler: Sendable {
  /// `nil` for all actions.
  let kind: ActionKind?
  let run: @Sendable (Delivery) async throws -> Void

  /// A handler of one type of actions.
  init<A: Action>(on type: A.Type, _ run: @escaping @Sendable (A, Delivery) async throws -> Void) {
    kind = ActionKind(type)
    self.run = { delivery in
      if let action = delivery.action as? A { try await run(action, delivery) }
    }
  }

  /// A handler of all actions.
  init(_ run: @escaping @Sendable (any Action, Delivery) async throws -> Void) {
    kind = nil
    self.run = { delivery in try await run(delivery.action, delivery) }
  }
}
