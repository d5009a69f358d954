/// One place of a tree that has been read: a service, or a modifier around the services below it.
struct Node: Sendable {
  /// The part that a modifier takes when an action passes.
  enum Effect: Sendable {
    case before(Handler)
    case after(Handler)
    case transformError(ErrorTransform)
  }

  /// The name of a service; `nil` for a modifier.
  var name: String?
  /// The name of a modifier in descriptions.
  var label: String?
  /// The handlers of this service itself, in the order of their declaration.
  var handlers: [Handler] = []
  var effect: Effect?
  /// The order in which the children get an action.
  var order: ExecutionOrder
  var children: [Node] = []
  /// A remark for descriptions.
  var remark: String?

  /// The action types that have a handler here or below.
  let kinds: Set<ActionKind>
  /// The action types that have a handler here or below which does more than observe.
  let handledKinds: Set<ActionKind>
  /// Is `true` if a handler of all actions stands here or below.
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

  /// The name for people. Making it takes time, so no action waits for it.
  var name: String { String(describing: type) }

  static func == (lhs: Self, rhs: Self) -> Bool { lhs.id == rhs.id }

  func hash(into hasher: inout Hasher) {
    hasher.combine(id)
  }
}

/// The reaction of one service to actions of one type, or to all actions.
struct Handler: Sendable {
  /// The type of the actions; `nil` for all actions.
  let kind: ActionKind?
  /// Is `true` if the handler observes only, which does not count as handling.
  var looksOn = false
  let run: @Sendable (ActionDispatch) async throws -> Void

  /// Makes a handler of one type of actions.
  init<A: Action>(on type: A.Type, _ run: @escaping @Sendable (A, ActionDispatch) async throws -> Void) {
    kind = ActionKind(type)
    self.run = { dispatch in
      if let action = dispatch.action as? A { try await run(action, dispatch) }
    }
  }

  /// Makes a handler of all actions.
  init(_ run: @escaping @Sendable (any Action, ActionDispatch) async throws -> Void) {
    kind = nil
    self.run = { dispatch in try await run(dispatch.action, dispatch) }
  }

  /// Makes a handler of a closure that a user wrote for one type of actions; `@Environment` reads from `scope` in it.
  init<A: Action>(on type: A.Type, in scope: Scope?, _ closure: @escaping @Sendable (A) async throws -> Void) {
    self.init(on: type) { action, _ in try await Scope.within(scope) { try await closure(action) } }
  }

  /// Makes a handler of a closure that a user wrote for all actions; `@Environment` reads from `scope` in it.
  init(in scope: Scope?, _ closure: @escaping @Sendable (any Action) async throws -> Void) {
    self.init { action, _ in try await Scope.within(scope) { try await closure(action) } }
  }
}
