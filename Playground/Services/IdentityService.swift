import RASPServices

/// Who is there: a value, which the cluster keeps.
struct Identity: Equatable, Sendable {
  var name: String?
  var logins = 0
}

/// The store form: a model, and what happens to it for each type of actions.
struct IdentityService: Service {
  /// Where to say what happens.
  let say: @Sendable (String) -> Void

  var body: some Service {
    Store(model: Identity.self)
      .mutate(on: ProgramAction.self) { _, action, send in
        // Put in line: the model is free again when the action comes back to it.
        if action == .launched { try await send(IdentityAction.login("Kim")) }
      }
      .mutate(on: IdentityAction.self) { identity, action, send in
        switch action {
        case .login(let name):
          identity.name = name
          identity.logins += 1
          say("\(name) is logged in")
          try await send(ArticlesAction.load)
        case .logout:
          say("\(identity.name ?? "an unknown user") has left after \(identity.logins) login")
          identity.name = nil
        }
      }
  }
}

/// How often something went wrong.
struct Problems: Equatable, Sendable {
  var count = 0
}

struct ProblemsService: Service {
  let say: @Sendable (String) -> Void

  var body: some Service {
    Store(model: Problems.self)
      .mutate(on: ProblemAction.self) { problems, action, _ in
        problems.count += 1
        if case .failed(let reason) = action { say("problem \(problems.count): \(reason)") }
      }
      .with(model: Problems())
      .teardown { say("problems: nothing left to do") }
  }
}
