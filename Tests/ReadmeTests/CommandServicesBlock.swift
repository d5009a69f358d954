import RASPCommandServices
import RASPCommands
import RASPServices

extension BookList: Action {}

enum ShelfAction: Action {
  case fill([String])
}

struct Logout: Command {
  typealias Output = Void
}

func commandsAndServices(engine: Engine) async throws {
  let shop = try await Bootstrap {
    Store(model: Engine.self)
      .execute(BookList.self) { ShelfAction.fill($0) }  // a command that is an action as well
      .with(model: engine)
  }
  try engine.use(Logout.self, sendingTo: shop) { _ in IdentityAction.logout }
}
