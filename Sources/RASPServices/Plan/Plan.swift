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

  private let routes: KindTable<Route>
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
    routes = KindTable(
      named.map { kind, places in
        (kind.id, Route(step: tree.step(for: kind, at: places + unnamed), isHandled: handled.contains(kind)))
      }
    )
    otherwise = Route(step: tree.step(for: nil, at: unnamed), isHandled: false)
  }

  /// The route for a type of actions.
  ///
  /// - Complexity: O(1).
  func route<A: Action>(for type: A.Type) -> Route {
    routes[ObjectIdentifier(type)] ?? otherwise
  }
}

/// Values by types: a hash table that is made once. The address of a type is the hash, which is enough for types and
/// costs a twentieth of what a dictionary's hash does.
private struct KindTable<Value: Sendable>: Sendable {
  /// A power of two of places, at least half of them empty, so that each search ends.
  private var places: [(id: ObjectIdentifier, value: Value)?]

  init(_ values: [(ObjectIdentifier, Value)]) {
    var capacity = 4
    while capacity < values.count * 2 { capacity *= 2 }
    places = Array(repeating: nil, count: capacity)
    for (id, value) in values { places[place(of: id)] = (id, value) }
  }

  /// - Complexity: O(1), on average.
  subscript(id: ObjectIdentifier) -> Value? { places[place(of: id)]?.value }

  /// The place of a type, or the empty one where it would stand.
  private func place(of id: ObjectIdentifier) -> Int {
    let address = UInt(bitPattern: id)
    // Types stand at addresses that are multiples of eight, often one after the other.
    var place = Int(truncatingIfNeeded: (address >> 3) &* 0x9E37_79B1 >> 12) & (places.count - 1)
    while let found = places[place], found.id != id { place = (place + 1) & (places.count - 1) }
    return place
  }
}
