/// The places of a tree as a plan needs them: one for each service, and for each modifier around services.
///
/// The places stand in one list, in the order in which they were read, so the services under a place follow it. No
/// function here calls itself, so a deep tree takes no deep stack.
///
///     0 Cluster            parent –
///     1   Group            parent 0
///     2     Identity       parent 1
///     3     Articles       parent 1
///     4   Problems         parent 0
///
/// Invariant: the parent of a place has a smaller number, and the places under a place have the numbers that follow it.
struct ServicePlaces: Sendable {
  /// The part that a modifier takes when an action passes.
  enum Effect: Sendable {
    case call(CallMoment, Handler)
    case transformError(ErrorTransform)
  }

  struct Place: Sendable {
    let parent: Int?
    /// The handlers of this service itself, in the order of their declaration.
    var handlers: [Handler] = []
    var effect: Effect?
    /// The order in which the places right under this one get an action.
    var order = SiblingOrder.concurrent
    /// The transforms around the places under this one, the outermost first.
    var transforms: [ErrorTransform] = []

    /// The handlers of this place and of its effect.
    var allHandlers: [Handler] {
      switch effect {
      case .call(_, let handler): handlers + [handler]
      case .transformError, nil: handlers
      }
    }

    /// The step for actions of `kind`, which is `nil` for actions of a type that no service names.
    ///
    /// - Parameter children: the steps of the places right under this one.
    func step(for kind: ActionKind?, children: [Step]) -> Step? {
      func call(_ handler: Handler) -> Step? {
        handler.kind == nil || handler.kind == kind ? .call(handler) : nil
      }
      let inner = Step.sequence(of: handlers.map(call) + [Step.siblings(children, order, transforms)])
      switch effect {
      case .call(.before, let handler): return .sequence(of: [call(handler), inner])
      case .call(.after, let handler): return .sequence(of: [inner, call(handler)])
      case .transformError(let transform): return inner.map { .transformError(transform, $0) }
      case nil: return inner
      }
    }
  }

  private(set) var list: [Place] = []

  subscript(index: Int) -> Place { list[index] }

  /// - Returns: the number of the place.
  mutating func append(_ place: Place) -> Int {
    assert(place.parent.map { $0 < list.count } ?? list.isEmpty, "A place stands before its parent.")
    list.append(place)
    return list.count - 1
  }

  /// The places from the root to a place, and all places under it.
  func branch(at place: Int) -> [Int] {
    var around: [Int] = []
    var next = list[place].parent
    while let parent = next {
      around.append(parent)
      next = list[parent].parent
    }
    // The places under this one end where one follows whose parent stands before it.
    let end = list[(place + 1)...].firstIndex { ($0.parent ?? -1) < place } ?? list.count
    return around.reversed() + Array(place..<end)
  }

  /// The step of the whole tree for actions of `kind`, if the services at some places react to them.
  ///
  /// - Complexity: O(places × depth of the tree).
  func step(for kind: ActionKind?, at places: [Int]) -> Step? {
    var taking: Set<Int> = []
    for place in places {
      var next: Int? = place
      while let current = next, taking.insert(current).inserted { next = list[current].parent }
    }
    // The places under a place have greater numbers, so their steps are made first; siblings come last one first.
    var steps: [Int: [Step]] = [:]
    for index in taking.sorted(by: >) {
      let children = steps.removeValue(forKey: index)?.reversed() ?? []
      guard let step = list[index].step(for: kind, children: children) else { continue }
      guard let parent = list[index].parent else { return step }
      steps[parent, default: []].append(step)
    }
    return nil
  }
}

/// The moment at which a modifier runs its handler: before the services under it get an action, or after they are done.
enum CallMoment: Sendable {
  case before
  case after
}
