import RASPServices
import RASPTesting

/// A harbour with a model, a reducer and some mistakes to make.
enum HarbourAction: Action, Equatable {
  case moor(String)
  case leave(String)
  case close
}

/// Cannot be compared, so it is compared by how it prints.
struct Announcement: Action {
  var text: String
}

struct Harbour: Sendable, Equatable {
  var berths: [String] = []
  var isOpen = true
}

struct HarbourFull: Error, Equatable {
  var ship: String
}

/// Moors two ships, and announces each.
struct HarbourService: Service {
  var body: some Service {
    Store(model: Harbour.self)
      .mutate(on: HarbourAction.self) { harbour, action, send in
        switch action {
        case .moor(let ship):
          guard harbour.berths.count < 2 else { throw HarbourFull(ship: ship) }
          harbour.berths.append(ship)
          try await send(Announcement(text: "\(ship) is in"))
        case .leave(let ship):
          harbour.berths.removeAll { $0 == ship }
        case .close:
          harbour.isOpen = false
        }
      }
  }
}

/// The same with a reducer.
extension Reducers {
  static let harbour: Reducer<Harbour, HarbourAction, Void>.Reduce = { harbour, action in
    switch action {
    case .moor(let ship):
      harbour.berths.append(ship)
      return { send, _ in try await send(Announcement(text: "\(ship) is in")) }
    case .leave(let ship):
      harbour.berths.removeAll { $0 == ship }
      return { _, _ in throw HarbourFull(ship: ship) }
    case .close:
      return nil
    }
  }
}
