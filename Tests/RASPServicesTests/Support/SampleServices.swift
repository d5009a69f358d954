import RASPServices
import Streams
import TestSupport
import Testing

extension Log where Entry == any Action {
  /// A `send` that writes down what is sent.
  var send: Send {
    { action in self.note(action) }
  }
}

enum AccountAction: Action, Equatable {
  case login
  case logout
  case failed
}

enum ArticleAction: Action, Equatable {
  case load
  case loaded(Int)
}

enum Broken: Error, Equatable {
  case first
  case second
  case again
}

/// Writes its name down for each `AccountAction`.
struct Recording: Service {
  let name: String
  let log: Log<String>

  var body: some Service {
    EmptyService().pre(action: AccountAction.self) { log.note("\(name) \($0)") }
  }
}

/// Throws at one action.
struct Failing: Service {
  let error: Broken
  let action: AccountAction

  var body: some Service {
    EmptyService().pre(action: action) { throw error }
  }
}

/// The identity of the task that runs this.
func currentTask() -> Int? {
  withUnsafeCurrentTask { $0?.hashValue }
}

struct Numbers: Sendable, Equatable {
  var values: [Int] = []
}

struct Add: Action, Equatable {
  var value: Int
}

struct Read: Action {
  let log: Log<[Int]>
}

/// A store of numbers that adds and reads.
struct NumbersService: Service {
  var body: some Service {
    Store(model: Numbers.self)
      .mutate(on: Add.self) { model, action, _ in model.values.append(action.value) }
      .mutate(on: Read.self) { model, action, _ in action.log.note(model.values) }
  }
}

extension Cluster {
  /// The numbers in the one store of numbers.
  func numbers() async throws -> [Int] {
    let log = Log<[Int]>()
    try await send(action: Read(log: log))
    return log.entries.last ?? []
  }
}
