import RASPCommands

/// The sum of two numbers.
struct Add: Command, Equatable {
  typealias Output = Int
  var left: Int
  var right: Int
}

struct AddHandler: CommandHandler {
  func handle(_ command: Add, publish: Publisher<Add>) throws -> Int { command.left + command.right }
}

/// What it was given, or an error.
struct Echo: Command {
  typealias Output = String
  var text = "echo"
}

/// Another command, to be nested in others.
struct Ping: Command {
  typealias Output = Int
  var number = 0
}

struct Broken: Error, Equatable {
  var reason = "broken"
}

extension Engine {
  /// An engine that answers `Echo` and `Ping` at once.
  static func answering() throws -> Engine {
    let engine = Engine()
    try engine.use(Echo.self, synchronously: { command, _ in command.text })
    try engine.use(Ping.self, synchronously: { command, _ in command.number })
    return engine
  }
}

extension CommandEvent {
  /// An event in one word, for journals.
  var text: String {
    switch self {
    case .progress: "progress"
    case .data(let output): "data \(output)"
    case .error(let error): "error \(error)"
    }
  }
}

extension Outcome {
  var isHandled: Bool {
    if case .handled = self { true } else { false }
  }
}
