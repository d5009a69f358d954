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
  /// Those of them that somebody does more with than look on.
  let handledKinds: Set<ActionKind>
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
    let handling = own.filter { !$0.looksOn }
    handledKinds = children.reduce(into: Set(handling.compactMap(\.kind))) { $0.formUnion($1.handledKinds) }
    takesEverything = own.contains { $0.kind == nil } || children.contains { $0.takesEverything }
  }
}

/// A type of actions.
struct ActionKind: Hashable, Sendable {
  private let type: any Action.Type

  init(_ type: any Action.Type) {
    self.type = type
  }

  var id: ObjectIdentifier { ObjectIdentifier(type) }

  /// For people; not to be asked for on the way of an action.
  var name: String { String(describing: type) }

  static func == (lhs: Self, rhs: Self) -> Bool { lhs.id == rhs.id }

  func hash(into hasher: inout Hasher) {
    hasher.combine(id)
  }
}

/// What one service does with actions of one type, or with all of them.
struct Handler: Sendable {
  /// `nil` for all actions.
  let kind: ActionKind?
  /// Whether it observes, which is not handling.
  var looksOn = false
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

  /// What a user wrote for one type of actions at some place.
  init<A: Action>(on type: A.Type, in scope: Scope?, _ closure: @escaping @Sendable (A) async throws -> Void) {
    self.init(on: type) { action, _ in try await Scope.within(scope) { try await closure(action) } }
  }

  /// What a user wrote for all actions at some place.
  init(in scope: Scope?, _ closure: @escaping @Sendable (any Action) async throws -> Void) {
    self.init { action, _ in try await Scope.within(scope) { try await closure(action) } }
  }
}
