import RASPCommands
import RASPServices
import TestSupport

/// A command that is an action as well.
struct BookList: Command, Action {
  typealias Output = [String]
}

struct BookSearch: Command {
  typealias Output = [String]
  var words: String
}

struct SearchAction: Action {
  var words: String
}

enum ShelfAction: Action, Equatable {
  case fill([String])
  case failed(String)
}

/// An action that is a command as well.
enum IdentityAction: Action, Command, Equatable {
  typealias Output = Void
  case login(String)
  case logout
}

struct Logout: Command {
  typealias Output = Void
}

/// Notes each action of a type.
struct Noting<Noted: Action>: Service {
  let journal: Log<Noted>

  var body: some Service {
    EmptyService().observe(on: Noted.self) { journal.note($0) }
  }
}

extension Engine {
  /// An engine that finds books at once.
  static func library() throws -> Engine {
    let engine = Engine()
    try engine.use(BookList.self, synchronously: { _, _ in ["Momo", "Emma"] })
    try engine.use(BookSearch.self, synchronously: { command, _ in ["about \(command.words)"] })
    return engine
  }
}

/// The error that `body` throws.
func failure(of body: () async throws -> Void) async -> (any Error)? {
  do {
    try await body()
    return nil
  } catch {
    return error
  }
}

/// Suspends until the task is cancelled.
func untilCancelled() async throws {
  let (stream, _) = AsyncStream.makeStream(of: Never.self)
  for await _ in stream {}
  try Task.checkCancellation()
}
