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
      .mutate(on: BookList.self) { engine, command, send in  // a command that is an action as well
        try await send(ShelfAction.fill(engine.value(of: command)))
      }
      .with(model: engine)
  }
  try engine.use(Logout.self) { [send = shop.weakSend] _, _ in try await send(IdentityAction.logout) }
}
