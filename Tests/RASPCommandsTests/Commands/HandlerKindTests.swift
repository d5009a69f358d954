import RASPCommands
import RASPTesting
import Streams
import TestSupport
import Testing

/// A command without a result.
private struct Save: Command {
  typealias Output = Void
}

/// Waits.
private struct SaveHandler: CommandHandler {
  let calls: Counter

  func handle(_ command: Save, publish: Publisher<Save>) async throws {
    await Task.yield()
    calls.increment()
  }
}

/// Does something of its own, and hands each command on to another handler, which may be one that waits.
private struct Noting<Inner: CommandHandler>: CommandHandler where Inner.CommandType.Output == Void {
  let inner: Inner
  let calls: Counter

  func handle(_ command: Inner.CommandType, publish: Publisher<Inner.CommandType>) throws {
    calls.increment()
    _ = try inner.handle(command, publish: publish)
  }
}

/// Never waits, and says so by a class that others inherit from.
private class Adding: CommandHandler, @unchecked Sendable {
  func handle(_ command: Add, publish: Publisher<Add>) throws -> Int { command.left + command.right }
}

private final class AddingMore: Adding, @unchecked Sendable {
  override func handle(_ command: Add, publish: Publisher<Add>) throws -> Int {
    try super.handle(command, publish: publish) + 1
  }
}

/// Has both, so that the engine need not wait.
private struct AddingEitherWay: CommandHandler {
  func handle(_ command: Add, publish: Publisher<Add>) throws -> Int { 1 }
  func handle(_ command: Add, publish: Publisher<Add>) async throws -> Int { 2 }
}

private actor AddingActor: CommandHandler {
  func handle(_ command: Add, publish: Publisher<Add>) async throws -> Int { command.left + command.right }
}

/// A command of any result that handles itself.
private struct Tell<Told: Sendable>: ActionCommand {
  let told: Told
  func handle(publish: Publisher<Self>) throws -> Told { told }
}

private struct TellLater<Told: Sendable>: ActionCommand {
  let told: Told
  func handle(publish: Publisher<Self>) async throws -> Told { told }
}

@Suite("Handlers that wait and handlers that never do", .endsInTime)
struct HandlerKindTests {
  @Test("a handler that never waits and calls one that does acts once, and its command fails")
  func wrapper() async throws {
    let (engine, outer, inner) = (Engine(), Counter(), Counter())
    try engine.use(Noting(inner: SaveHandler(calls: inner), calls: outer))
    for number in 1...3 {
      let outcome = await engine.execute(Save()).wait()
      #expect(outcome.failure != nil)
      #expect(outer.value == number)
      #expect(inner.value == 0)
    }
  }

  @Test("it acts once behind middleware, too")
  func wrapperBehindMiddleware() async throws {
    let (engine, calls) = (Engine(), Counter())
    engine.add(LogCommandMiddleware { _ in })
    try engine.use(Noting(inner: SaveHandler(calls: Counter()), calls: calls))
    #expect(await engine.execute(Save()).wait().failure != nil)
    #expect(calls.value == 1)
  }

  @Test("the declaration of a handler says whether its command is over when it has been executed")
  func declared() async throws {
    let handlers: [(handler: any CommandHandler<Add>, isOver: Bool, result: Int)] = [
      (AddHandler(), true, 3),
      (Adding(), true, 3),
      (AddingMore(), true, 4),
      (AddingEitherWay(), true, 1),
      (AddingActor(), false, 3),
    ]
    func use(_ handler: some CommandHandler<Add>, of engine: Engine) throws { try engine.use(handler) }
    for (handler, isOver, result) in handlers {
      let engine = Engine()
      try use(handler, of: engine)
      let execution = engine.execute(Add(left: 1, right: 2))
      if isOver { #expect(execution.outcome?.output == result) }
      #expect(try await execution.value == result)
      #expect(try await engine.value(of: Add(left: 1, right: 2)) == result)
    }
  }

  @Test("so does that of a command that handles itself")
  func actions() async throws {
    let engine = Engine()
    #expect(engine.execute(Tell(told: "now")).outcome?.output == "now")
    #expect(try await engine.execute(TellLater(told: "later")).value == "later")
  }
}
