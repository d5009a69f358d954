import RASPServices

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
