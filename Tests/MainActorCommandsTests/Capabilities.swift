import RASPCommands
import Streams
import TestSupport
import Testing

protocol CommandBuilder {
  associatedtype Built: Command
  func buildCommand() throws -> Built
}

protocol CommandProducer {}

extension CommandProducer {
  @discardableResult
  func execute<C: Command>(command: C) -> Execution<C.Output> { Engine.shared.execute(command) }

  @discardableResult
  func execute<A: ActionCommand>(action: A) -> Execution<A.Output> { Engine.shared.execute(action) }

  func execute(builder: some CommandBuilder) {
    do {
      execute(command: try builder.buildCommand())
    } catch {
      Engine.shared.errorHandler?(error)
    }
  }
}

protocol FactProducer {}

extension FactProducer {
  func post(fact: some Fact) { Engine.shared.post(fact) }
}

struct Reaction<Output: Sendable>: Sendable {
  var wait: (@MainActor @Sendable () -> Void)?
  var consume: (@MainActor @Sendable (Output) -> Void)?
  var rescue: (@MainActor @Sendable (any Error) -> Void)?
}

protocol ReactionProducer: AnyObject, Sendable {}

extension ReactionProducer {
  @discardableResult
  func react<C: Command>(to command: C.Type, with reaction: Reaction<C.Output>) -> Registration {
    Engine.shared.react(
      to: command,
      on: .shared,
      owner: self,
      wait: { _ in reaction.wait?() },
      consume: { _, output in reaction.consume?(output) },
      rescue: { _, error in reaction.rescue?(error) }
    )
  }

  @discardableResult
  func next<F: Fact>(_ next: @escaping @MainActor @Sendable (F) -> Void) -> Registration {
    Engine.shared.react(toFact: F.self, on: .shared, owner: self) { _, fact in next(fact) }
  }

  func dispose(token: Registration) { token.cancel() }

  func disposeAll() { Engine.shared.disposeAll(for: self) }
}

extension ReactionProducer where Self: CommandProducer {
  @discardableResult
  func execute<C: Command>(command: C, reaction: Reaction<C.Output>) -> Execution<C.Output> {
    react(to: C.self, with: reaction)
    return execute(command: command)
  }
}

/// A controller as Aftermath's users wrote it.
final class ShimmedController: CommandProducer, ReactionProducer, FactProducer {
  var lines: [String] = []

  func load() {
    react(to: ShimmedList.self, with: Reaction(consume: { [weak self] books in self?.lines += books }))
    next { [weak self] (fact: ShimmedFact) in self?.lines.append(fact.name) }
    execute(command: ShimmedList())
    post(fact: ShimmedFact(name: "Kim"))
  }
}

nonisolated struct ShimmedList: Command {
  typealias Output = [String]
}

nonisolated struct ShimmedWords: Command {
  typealias Output = [String]
}

nonisolated struct ShimmedWelcome: ActionCommand {
  var id: Int

  func handle(publish: Publisher<ShimmedWelcome>) throws -> String { "Hello \(id)" }
}

nonisolated struct ShimmedFact: Fact {
  var name: String
}

@Suite("A controller of Aftermath behind the shim")
struct CapabilitiesTests {
  @Test("FACE-42: a controller of Aftermath compiles with the shim, and a reaction on the main actor comes at once")
  func controller() throws {
    let handler = try Engine.shared.use(ShimmedList.self, synchronously: { _, _ in ["Momo"] })
    let controller = ShimmedController()
    controller.load()
    #expect(controller.lines == ["Momo", "Kim"])
    controller.disposeAll()
    controller.post(fact: ShimmedFact(name: "Lee"))
    #expect(controller.lines == ["Momo", "Kim"])
    handler.cancel()
  }

  private final class Screen {
    var seen: [String] = []
  }

  @Test("the shim executes actions, keeps the reaction of an execution for good, and disposes one by its token")
  func moreOfTheShim() throws {
    let handler = try Engine.shared.use(ShimmedWords.self, synchronously: { _, _ in ["Emma"] })
    let controller = ShimmedController()
    #expect(controller.execute(action: ShimmedWelcome(id: 11)).outcome?.output == "Hello 11")
    let reaction = Reaction<[String]>(consume: { [weak controller] words in controller?.lines += words })
    controller.execute(command: ShimmedWords(), reaction: reaction)
    controller.execute(command: ShimmedWords())
    #expect(controller.lines == ["Emma", "Emma"])
    controller.disposeAll()
    let token = controller.react(to: ShimmedWords.self, with: reaction)
    controller.dispose(token: token)
    controller.execute(command: ShimmedWords())
    #expect(controller.lines == ["Emma", "Emma"])
    handler.cancel()
  }

  @Test("FACE-43: no event overtakes another, and none comes inside a reaction")
  func order() async {
    let engine = Engine()
    let screen = Screen()
    engine.react(toFact: ShimmedFact.self, on: .shared, owner: screen) { screen, fact in
      screen.seen.append("<\(fact.name)")
      if fact.name == "1" { engine.post(ShimmedFact(name: "1.1")) }
      screen.seen.append("\(fact.name)>")
    }
    for _ in 0..<100 {
      screen.seen = []
      let posted = Log<Void>()
      Task.detached {
        engine.post(ShimmedFact(name: "1"))
        posted.note(())
      }
      // The main actor is not free, so the event of the other thread waits.
      block { !posted.entries.isEmpty }
      engine.post(ShimmedFact(name: "2"))
      engine.post(ShimmedFact(name: "3"))
      #expect(await eventually { screen.seen.count == 8 })
      #expect(screen.seen == ["<1", "1>", "<2", "2>", "<3", "3>", "<1.1", "1.1>"])
    }
  }
}
