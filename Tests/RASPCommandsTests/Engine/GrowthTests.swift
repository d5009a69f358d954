import RASPCommands
import RASPTesting
import Streams
import TestSupport
import Testing

private struct Save: Command {
  typealias Output = Int
  static let overlap = OverlapPolicy.serial
  var overlapKey: (any Hashable & Sendable)? { file }
  var file: Int?
}

private struct Grown: Command { typealias Output = Int }

@Suite("CMD-18: What waits in an engine without a bound is reported once", .endsInTime)
struct GrowthTests {
  @Test("executions that wait for their turn, once for each key", arguments: [nil, 7])
  func serial(file: Int?) async throws {
    let engine = Engine()
    let (errors, gate) = (Log<any Error>(), Latch())
    engine.errorHandler = errors.note
    try engine.use(Save.self) { _, _ in
      await gate.wait()
      throw CancellationError()
    }
    let running = engine.execute(Save(file: file))
    let waiting = (0..<65_535).map { _ in engine.execute(Save(file: file)) }
    #expect(errors.entries.isEmpty)
    let more = (0..<2).map { _ in engine.execute(Save(file: file)) }
    #expect(errors.entries.map { $0 as? EngineError } == [.lineGrown(Save.self)])
    #expect((errors.entries.first as? EngineError)?.isWarning == true)
    #expect("\(EngineError.lineGrown(Save.self))".contains("timeLimit"))
    for execution in waiting + more { execution.cancel() }
    gate.open()
    _ = await running.wait()
  }

  @Test("events that wait for the main actor")
  @MainActor
  func mainActor() async throws {
    let engine = Engine()
    let (errors, seen, published) = (Log<any Error>(), Counter(), Flag())
    engine.errorHandler = errors.note
    engine.react(to: Grown.self, on: .shared, owner: seen, consume: { seen, _ in seen.increment() })
    Task.detached {
      for number in 0..<70_000 { engine.publish(CommandEvent<Grown>.data(number)) }
      published.raise()
    }
    // The main actor is not free meanwhile.
    block { published.isRaised }
    #expect(errors.entries.map { $0 as? EngineError } == [.lineGrown(Grown.self)])
    #expect(await eventually { seen.value == 70_000 })
  }

  #if DEBUG
    @Test("errors that wait for an error handler that does not return")
    func errors() async throws {
      let texts = try await UnheardTexts.written(containing: "`errorHandler` takes them") { texts in
        let engine = Engine()
        let (gate, handled) = (Gate(patience: longestWait), Counter())
        engine.errorHandler = { _ in
          gate.hold()
          handled.increment()
        }
        await Threads.run(
          { engine.execute(Grown()) },
          {
            gate.waitUntilHeld()
            for _ in 0..<70_000 { engine.execute(Grown()) }
            gate.open()
          }
        )
        #expect(await eventually { handled.value == 70_001 })
        #expect(await eventually { !texts().isEmpty })
      }
      #expect(texts.count == 1)
    }
  #endif
}
