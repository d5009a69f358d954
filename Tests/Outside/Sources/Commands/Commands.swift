import RASPCommands
import RASPTesting
import Streams

// What these programs say of the package in other words than their own.
extension EngineError {
  /// Which of the reports it is.
  static func text(_ error: any Error) -> String {
    guard let error = error as? EngineError else { return Fault.text(error) }
    let command = error.commandType
    let known: [(EngineError, String)] = [
      (.noHandler(command), "no handler"), (.duplicateHandler(command), "duplicate"), (.stopped(command), "stopped"),
      (.timedOut(command), "timed out"), (.noListeners(command), "no listeners"),
      (.publishedTooLate(command), "too late"),
    ]
    return known.first { $0.0 == error }?.1 ?? "report"
  }
}

extension CommandEvent {
  var text: String {
    switch self {
    case .progress: "progress"
    case .data(let output): "data \(output)"
    case .error(let error): "error \(EngineError.text(error))"
    }
  }
}

extension Outcome {
  var text: String {
    switch self {
    case .handled(let output): "handled \(output)"
    case .stopped: "stopped"
    case .failed(let error): "failed \(EngineError.text(error))"
    }
  }
}

struct Now: Command {
  typealias Output = Int
  let number: Int
}

/// A command that nobody handles.
struct Lost: Command {
  typealias Output = Int
}

/// A command that handles itself.
struct Own: ActionCommand {
  typealias Output = Int
  let number: Int

  func handle(publish: Publisher<Own>) async throws -> Int {
    publish(.progress)
    if number % 4 == 3 { throw Fault(code: number) }
    return number * 2
  }
}

struct Told: Fact {
  let number: Int
}

/// An engine whose commands are carried out at once, through random middleware, with reactions that come, go, execute,
/// publish and post inside of each other.
struct Commands: Sendable {
  private final class Owner: Sendable {}

  let cast: Cast
  private let engine = Engine(scheduler: VirtualScheduler())
  private let owner = Box(Owner())
  private let registrations = Box<[Registration]>([])

  static func run(_ numbers: Numbers, _ transcript: Transcript) async {
    let program = Commands(cast: Cast(numbers, transcript))
    program.connect()
    program.cast.act.value = { program.act() }
    for _ in 0..<numbers.within(4...30) {
      program.act()
      if numbers.once(in: 8) { await program.wait(numbers.below(30)) }
    }
    // Which type of commands and facts ends first has no order.
    program.cast.act.value = nil
    program.engine.invalidate()
    transcript.note("afterwards: \(program.engine.execute(Now(number: 1)).outcome?.text ?? "runs")")
    program.cast.cancelAll()
  }

  private func connect() {
    engine.errorHandler = { cast.note("report \(EngineError.text($0))") }
    use(adding: 0, replacing: false)
    for index in 0..<cast.numbers.below(4) {
      engine.add(Stage(cast, "command \(index)", { ($0 as? Now)?.number }, { Now(number: $0) as any Command }))
    }
    for index in 0..<cast.numbers.below(3) {
      let make: @Sendable (Int) -> any AnyCommandEvent = { CommandEvent<Now>.data($0) }
      engine.add(Stage(cast, "event \(index)", { ($0 as? CommandEvent<Now>)?.output }, make))
    }
  }

  private func use(adding more: Int, replacing: Bool) {
    do throws(EngineError) {
      try engine.use(
        Now.self,
        replacing: replacing,
        synchronously: { command, publish in
          cast.note("handle \(command.number)")
          if command.number % 5 == 0 { publish(data: command.number + 1) }
          if command.number % 7 == 0 { publish(.progress) }
          if command.number % 4 == 3 { throw Fault(code: command.number) }
          return command.number * 10 + more
        }
      )
    } catch {
      cast.note("use: \(EngineError.text(error))")
    }
  }

  private func act() {
    let (numbers, number) = (cast.numbers, cast.numbers.below(30))
    switch numbers.below(26) {
    case 0..<8: cast.note("execute \(number): \(engine.execute(Now(number: number)).outcome?.text ?? "runs")")
    case 8: cast.note("lost: \(engine.execute(Lost()).outcome?.text ?? "runs")")
    case 9, 10: cast.note("publish \(number): \(engine.publish(CommandEvent<Now>.data(number)).text)")
    case 11: cast.note("post \(number): \(engine.post(Told(number: number)).text)")
    case 12, 13: cast.subscribe(engine.events(of: Now.self), as: "event") { $0.text }
    case 14: cast.subscribe(engine.facts(of: Told.self), as: "fact", endingAs: "facts") { "\($0.number)" }
    case 15, 16:
      let name = "reaction \(registrations.value.count)"
      let registration = engine.react(to: Now.self, owner: owner.value) { _ in
        cast.note("\(name) waits")
      } consume: { _, output in
        cast.note("\(name) consumes \(output)")
      } rescue: { _, error in
        cast.note("\(name) rescues \(EngineError.text(error))")
      }
      registrations.change { $0.append(registration) }
    case 17: cast.cancelAny()
    case 18: numbers.pick([nil] + registrations.value)?.cancel()
    case 19: engine.disposeAll(for: owner.value)
    // The one before is gone, and its reactions with it.
    case 20: owner.value = Owner()
    case 21: use(adding: number, replacing: numbers.once(in: 2))
    default:
      let own = Reaction<Int>(consume: { cast.note("own \($0)") }, rescue: { cast.note("own \(EngineError.text($0))") })
      cast.note("own: \(engine.execute(Now(number: number), reaction: own).outcome?.text ?? "runs")")
    }
  }

  /// What takes tasks is waited for, so that it has an order.
  private func wait(_ number: Int) async {
    do {
      cast.note("own \(number): \(try await engine.value(of: Own(number: number)))")
      cast.note("value \(number): \(try await engine.value(of: Now(number: number)))")
    } catch {
      cast.note("value \(number): \(EngineError.text(error))")
    }
  }
}
