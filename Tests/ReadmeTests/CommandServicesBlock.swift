import CommandServices
import Commands
import Services

enum OpeningAction: Services.Action {
  case open
}

enum ShelfAction: Services.Action {
  case fill([String])
}

struct Logout: Command {
  typealias Output = Void
}

func commandsAndServices(engine: Engine) async throws {
  let shop = try await Bootstrap {
    Store(model: Engine.self)
      .execute(on: OpeningAction.self) { _ in BookList() } then: { ShelfAction.fill($0) }
      .with(model: engine)
  }
  try engine.use(Logout.self, sendingTo: shop) { _ in IdentityAction.logout }
}
