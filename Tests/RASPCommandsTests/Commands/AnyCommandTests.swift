import RASPCommands
import Streams
import Testing

@Suite("A command whose type is known at run time")
struct AnyCommandTests {
  private struct Double: Command {
    typealias Output = Int
    let number: Int
  }

  private struct Greet: ActionCommand {
    let name: String
    func handle(publish: Publisher<Greet>) throws -> String { "Hello, \(name)" }
  }

  private class Vehicle: Command, @unchecked Sendable {
    typealias Output = String
  }

  private final class Car: Vehicle, @unchecked Sendable {}

  private struct Odd: Error {}

  /// Executes a command both ways, and returns what each has come to.
  private func outcomes(_ command: Double, on engine: Engine) async -> (typed: String, erased: String) {
    let erased: any Command = command
    let typed = text(of: await engine.execute(command).wait()) { $0 }
    return (typed, text(of: await engine.execute(erased).wait()) { $0 })
  }

  private func text<Value>(of outcome: Outcome<Value>, _ value: (Value) -> any Sendable) -> String {
    switch outcome {
    case .handled(let result): "handled \(value(result))"
    case .stopped: "stopped"
    case .failed(let error): "failed \(type(of: error))"
    }
  }

  @Test("ANY-01: it is executed as one whose type is known, whatever its handler is", arguments: [1, 2])
  func sameOutcome(_ number: Int) async throws {
    let engine = Engine()
    func check(_ expected: String) async {
      let (typed, erased) = await outcomes(Double(number: number), on: engine)
      #expect(typed == expected && erased == expected)
    }
    await check("failed EngineError")
    let first = try engine.use(Double.self, synchronously: { command, _ in command.number * 2 })
    await check("handled \(number * 2)")
    let second = try engine.use(Double.self, replacing: true) { command, _ in
      await Task.yield()
      if command.number % 2 == 1 { throw Odd() }
      return command.number * 20
    }
    await check(number == 1 ? "failed Odd" : "handled 40")
    first.cancel()
    await check(number == 1 ? "failed Odd" : "handled 40")
    second.cancel()
    await check("failed EngineError")
    try engine.use(Double.self, completing: { command, _, done in done(.success(command.number * 3)) })
    await check("handled \(number * 3)")
    engine.invalidate()
    await check("failed EngineError")
    try engine.use(Double.self, synchronously: { command, _ in command.number * 4 })
    await check("handled \(number * 4)")
  }

  @Test("ANY-02: its reactions get its events, and a command that handles itself is handled")
  func reactions() async throws {
    let engine = Engine()
    try engine.use(Double.self, synchronously: { command, _ in command.number * 2 })
    let results = Lock<[String]>([])
    let numbers = engine.react(to: Double.self, consume: { number in results.withLock { $0.append("\(number)") } })
    let greetings = engine.react(to: Greet.self, consume: { greeting in results.withLock { $0.append(greeting) } })
    let commands: [any Command] = [Double(number: 4), Greet(name: "Kim"), Double(number: 5)]
    for command in commands { engine.execute(command) }
    #expect(results.withLock { $0 } == ["8", "Hello, Kim", "10"])
    withExtendedLifetime((numbers, greetings)) {}
  }

  @Test("ANY-03: an object is executed as what it is, and not as what it inherits from")
  func subclass() async throws {
    let engine = Engine()
    try engine.use(Vehicle.self, synchronously: { _, _ in "vehicle" })
    try engine.use(Car.self, synchronously: { _, _ in "car" })
    for (command, expected) in [(Vehicle(), "vehicle"), (Car(), "car")] {
      let erased: any Command = command
      #expect(engine.execute(erased).outcome?.output as? String == expected)
    }
  }
}
