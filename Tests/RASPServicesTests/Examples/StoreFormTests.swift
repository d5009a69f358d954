import RASPServices
import TestSupport
import Testing

private actor IdentityModel {
  private(set) var name: String?
  private(set) var launches = 0

  func login(_ name: String) { self.name = name }
  func logout() { name = nil }
  func launched() { launches += 1 }
}

private actor ArticlesModel {
  struct Offline: Error {}

  private(set) var titles: [String] = []
  var isOffline = false

  func load() throws {
    if isOffline { throw Offline() }
    titles.append("Article \(titles.count + 1)")
  }

  func goOffline() { isOffline = true }
}

private enum IdentityAction: Action, Equatable {
  case login(String)
  case logout
}

private enum StartUpAction: Action {
  case appDidCompleteLaunching
}

private enum ArticlesAction: Action {
  case load
}

private enum ErrorAction: Action {
  case error(any Error)
}

private struct IdentityService: Service {
  var body: some Service {
    Store(model: IdentityModel.self)
      .mutate(on: IdentityAction.self) { model, action, send in
        switch action {
        case .login(let name):
          await model.login(name)
          try await send(ArticlesAction.load)
        case .logout: await model.logout()
        }
      }
      .mutate(on: StartUpAction.self) { model, action, send in
        await model.launched()
        try await send(IdentityAction.login("kim"))
      }
  }
}

@Suite("The examples of the store form", .endsInTime)
struct StoreFormTests {
  @Test("two stores with notifications, an error transform and an observer")
  func twoStores() async throws {
    let (identity, articles) = (IdentityModel(), ArticlesModel())
    let (notifications, input) = AsyncStream.makeStream(of: (any Action).self)
    let (observed, errors) = (Log<IdentityAction>(), Log<String>())

    let cluster = try await Bootstrap {
      Group {
        Store(model: IdentityModel.self)
          .mutate(on: IdentityAction.self) { model, action, send in
            if case .login(let name) = action { await model.login(name) }
          }
          .mutate(on: StartUpAction.self) { model, action, send in
            await model.launched()
            try await send(IdentityAction.login("kim"))
          }
          .with(model: identity)
        Store(model: ArticlesModel.self)
          .mutate(on: ArticlesAction.self) { model, action, send in
            try await model.load()
          }
          .with(model: articles)
      }
      .emit(using: notifications)
      .transformError {
        ErrorAction.error($0)
      }
      .observe(on: IdentityAction.self) {
        observed.note($0)
      }
      .observe(on: ErrorAction.self) { action in
        if case .error(let error) = action { errors.note("\(error)") }
      }
    }

    try await cluster.send(action: StartUpAction.appDidCompleteLaunching)
    #expect(await identity.name == "kim")
    #expect(await identity.launches == 1)
    #expect(observed.entries == [.login("kim")])

    input.yield(ArticlesAction.load)
    input.yield(IdentityAction.login("lee"))
    #expect(await eventually { observed.count == 2 })
    #expect(await articles.titles == ["Article 1"])

    await articles.goOffline()
    try await cluster.send(action: ArticlesAction.load)
    #expect(errors.entries == ["Offline()"])
    await cluster.shutdown()
  }

  @Test("a service of one's own, with the model handed in from outside")
  func injectedModel() async throws {
    let identity = IdentityModel()
    let cluster = try await Bootstrap {
      IdentityService()
        .with(model: identity)
    }
    try await cluster.send(action: StartUpAction.appDidCompleteLaunching)
    #expect(await identity.name == "kim")
    try await cluster.send(action: IdentityAction.logout)
    #expect(await identity.name == nil)
  }

  @Test("a cluster is tested with a model that stands in, and a send that records")
  func mocked() async throws {
    let (mocked, recorded) = (IdentityModel(), Log<any Action>())
    let cluster = try await Bootstrap {
      IdentityService()
        .with(model: mocked)
        .environment(\.send, recorded.send)
    }
    try await cluster.send(action: StartUpAction.appDidCompleteLaunching)
    #expect(await mocked.launches == 1)
    // Recorded, and not handled.
    #expect(await mocked.name == nil)
    #expect(recorded.entries as? [IdentityAction] == [.login("kim")])
  }
}
