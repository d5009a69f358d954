import RASPSupport

/// The step of a cluster for each type of actions. It is made once and read without a lock.
///
///     Group .serial()          Login ─▶ .serial([call(Identity), call(Articles)])
///       Identity: Login        Load  ─▶ .call(Articles)
///       Articles: Login, Load
struct Plan: Sendable {
  /// The way of actions of one type.
  ///
  /// It is an object, so that an action counts one reference and not those of all its parts.
  final class Route: Sendable {
    /// `nil` if no service reacts.
    let step: Step?
    /// The code of the only handler, if that never waits.
    let work: (any SynchronousWork)?
    /// Is `true` if a service that names the type does more than observe.
    let isHandled: Bool

    init(step: Step?, isHandled: Bool) {
      self.step = step
      self.isHandled = isHandled
      work = step?.onlyHandler?.work.synchronous
    }
  }

  private let routes: TypeTable<Route>
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
    var routes = TypeTable<Route>()
    for (kind, indices) in named {
      let step = tree.step(for: kind, at: indices + unnamed)
      _ = routes.insert(Route(step: step, isHandled: handled.contains(kind)), kind.id)
    }
    self.routes = routes
    otherwise = Route(step: tree.step(for: nil, at: unnamed), isHandled: false)
  }

  /// The route for a type of actions.
  ///
  /// - Complexity: O(1).
  func route<A: Action>(for type: A.Type) -> Route {
    routes[ObjectIdentifier(type)] ?? otherwise
  }
}
