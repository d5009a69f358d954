/// The step of a cluster for each type of actions. It is made once and read without a lock.
///
///     Group .serial()          Login ─▶ .serial([call(Identity), call(Articles)])
///       Identity: Login        Load  ─▶ .call(Articles)
///       Articles: Login, Load
struct Plan: Sendable {
  /// The way of actions of one type.
  struct Route: Sendable {
    /// `nil` if no service reacts.
    var step: Step?
    /// Is `true` if a service that names the type does more than observe.
    var isHandled: Bool
  }

  private var routes: [ObjectIdentifier: Route] = [:]
  /// The route for actions of a type that no service names.
  private let otherwise: Route

  /// Makes the plan of a tree.
  ///
  /// - Parameter branch: the place whose services get the actions. Of all other places, those around it take part, with
  ///   their modifiers.
  /// - Complexity: O(handlers × depth of the tree).
  init(_ tree: ServicePlaces, branch: Int = 0) {
    let branch = tree.branch(at: branch)
    var named: [ActionKind: [Int]] = [:]
    var handled: Set<ActionKind> = []
    var unnamed: [Int] = []
    for index in branch {
      for handler in tree[index].allHandlers {
        guard let kind = handler.kind else {
          unnamed.append(index)
          continue
        }
        named[kind, default: []].append(index)
        if !handler.looksOn { handled.insert(kind) }
      }
    }
    for (kind, places) in named {
      routes[kind.id] = Route(step: tree.step(for: kind, at: places + unnamed), isHandled: handled.contains(kind))
    }
    otherwise = Route(step: tree.step(for: nil, at: unnamed), isHandled: false)
  }

  /// The route for a type of actions.
  ///
  /// - Complexity: O(1).
  func route<A: Action>(for type: A.Type) -> Route {
    routes[ObjectIdentifier(type)] ?? otherwise
  }
}
