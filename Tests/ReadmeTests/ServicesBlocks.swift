import RASPServices

struct Identity: Sendable {
  var name: String?
}

enum IdentityAction: Action {
  case login(String)
  case logout
}

enum ErrorAction: Action {
  case failed(String)
}

struct IdentityService: Service {
  var body: some Service {
    Store(model: Identity.self)
      .mutate(on: IdentityAction.self) { identity, action, send in
        if case .login(let name) = action { identity.name = name } else { identity.name = nil }
      }
  }
}

func services(pushes: AsyncStream<IdentityAction>) async throws {
  let cluster = try await Bootstrap {
    IdentityService()
      .with(model: Identity())
      .emit(using: pushes)  // any AsyncSequence or Observable of actions
      .transformError { ErrorAction.failed("\($0)") }
  }
  try await cluster.send(action: IdentityAction.login("Kim"))
  await cluster.shutdown()
}
