import RASPCommands
import RASPServices
import Streams

// The blocks of the article about commands in a tree of services, in its order, and what they take for granted.

private struct SearchAction: Action {
  let words: String
}

private struct BookSearch: Command {
  typealias Output = [Book]
  let words: String
}

private nonisolated enum ShelfAction: Action {
  case fill([Book])
}

private enum IdentityAction: Action {
  case logout
}

private struct Logout: Command {
  typealias Output = Void
}

private struct PurchaseFact: Fact, Action {}

private nonisolated struct Shelf: Sendable {
  var books: [Book] = []
}

private struct ShelfService: Service {
  var body: some Service {
    Store(model: Shelf.self)
      .mutate(on: ShelfAction.self) { shelf, action, _ in
        if case .fill(let books) = action { shelf.books = books }
      }
  }
}

private func commandOfAnAction(engine: Engine) async throws -> Cluster {
  let cluster = try await Bootstrap {
    Store(model: Engine.self)
      .mutate(on: SearchAction.self) { engine, action, send in
        try await send(ShelfAction.fill(engine.value(of: BookSearch(words: action.words))))
      }
      .with(model: engine)
    ShelfService().with(model: Shelf())
  }
  try await cluster.send(action: SearchAction(words: "Momo"))  // returns when the shelf is filled
  return cluster
}

private func actionOfACommand(engine: Engine, cluster: Cluster) throws {
  try engine.use(Logout.self) { [send = cluster.weakSend] _, _ in try await send(IdentityAction.logout) }
}

private func events(engine: Engine) -> some Service {
  ShelfService()
    .with(model: Shelf())
    .emit(using: engine.events(of: BookList.self).compactMap(\.output).map(ShelfAction.fill))
}

private func facts(engine: Engine) -> some Service {
  struct LoginFact: Fact, Action { let username: String }

  let shop = Group { ShelfService().with(model: Shelf()) }
    .emit(using: engine.facts(of: LoginFact.self))  // from the engine to the cluster
    .observe(on: PurchaseFact.self) { fact in engine.post(fact) }  // from the cluster to the engine
  return shop
}
