// A program in the words of Aftermath after the edits of the tables of "Migrating from Aftermath", with the protocols
// of its section "Capabilities as conformances". What stood in a line before an edit stands beside it. `.ci/run` has
// the compiler read it outside of the package.

import RASPCommands
import Streams

struct Chart: Sendable, Equatable {  // struct Chart
  var name: String
}

struct Torn: Error {}

/// Calls back on a thread of its own.
protocol Archive: Sendable {
  func charts(_ completion: @escaping @Sendable (Result<[Chart], any Error>) -> Void)  // @escaping (…) -> Void
}

// MARK: Commands and handlers

struct ChartList: Command {
  typealias Output = [Chart]
}

struct ChartListHandler: CommandHandler {
  let archive: any Archive

  // func handle(command: ChartList) throws -> Event<ChartList> {
  //   archive.charts { self.publish(data: $0) }
  //   return Event.progress
  // }
  func handle(_ command: ChartList, publish: Publisher<ChartList>) async throws -> [Chart] {
    publish(.progress)
    return try await withCheckedThrowingContinuation { continuation in
      archive.charts { continuation.resume(with: $0) }
    }
  }
}

struct ChartUpdate: Command {
  typealias Output = Chart
  let chart: Chart
}

struct ChartUpdateHandler: CommandHandler {
  // func handle(command: ChartUpdate) throws -> Event<ChartUpdate>
  func handle(_ command: ChartUpdate, publish: Publisher<ChartUpdate>) throws -> Chart {
    guard !command.chart.name.isEmpty else { throw Torn() }
    return command.chart  // Event.data(command.chart)
  }
}

struct Welcome: ActionCommand {  // Action
  typealias Output = String
  let name: String

  // func handle(command: Welcome) throws -> Event<Welcome>
  func handle(publish: Publisher<Welcome>) throws -> String { "Welcome aboard, \(name)" }
}

struct Relieved: Fact {
  let watch: Int
}

struct ChartBuilder: CommandBuilder {
  let name: String

  func buildCommand() throws -> ChartUpdate { ChartUpdate(chart: Chart(name: name)) }
}

// MARK: Middleware

struct Locker: Middleware {  // CommandMiddleware
  // func intercept(command: AnyCommand, execute: Execute<AnyCommand>, next: Next<AnyCommand>) throws
  func intercept(_ command: any Command, next: Next<any Command>) throws -> MiddlewareResult<any Command> {
    if let update = command as? ChartUpdate, update.chart.name == "secret" { throw Torn() }
    return next(command)  // try next(command)
  }
}

struct Journal: Middleware {  // EventMiddleware
  // func intercept(event: AnyEvent, publish: Publish<AnyEvent>, next: Next<AnyEvent>) throws
  func intercept(
    _ event: any AnyCommandEvent,
    next: Next<any AnyCommandEvent>
  ) throws -> MiddlewareResult<any AnyCommandEvent> {
    print("\(event)")
    return next(event)
  }
}

// MARK: Capabilities as conformances

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

// MARK: A controller, as it was

@MainActor
final class ChartScreen: CommandProducer, ReactionProducer, FactProducer {
  private(set) var charts: [Chart] = []
  private(set) var title = ""
  private var token: Registration?

  func viewDidLoad() {
    react(
      to: ChartList.self,
      with: Reaction(
        wait: { [weak self] in self?.title = "…" },
        consume: { [weak self] charts in self?.charts = charts },
        rescue: { [weak self] error in self?.title = "\(error)" }
      )
    )
    token = react(to: Welcome.self, with: Reaction(consume: { [weak self] text in self?.title = text }))
    next { [weak self] (fact: Relieved) in self?.title = "watch \(fact.watch)" }
    execute(command: ChartList())
    execute(action: Welcome(name: "Kim"))
    execute(command: ChartList(), reaction: Reaction(consume: { [weak self] charts in self?.charts = charts }))
    execute(builder: ChartBuilder(name: "Elbe"))
  }

  func quiet() {
    if let token { dispose(token: token) }
    post(fact: Relieved(watch: 2))
  }

  deinit { disposeAll() }
}

// MARK: An application

func launch(archive: any Archive) throws {
  let engine = Engine.shared
  try engine.use(ChartListHandler(archive: archive))  // use(handler:)
  try engine.use(ChartUpdateHandler())
  engine.pipeCommands(through: [LogCommandMiddleware(), Locker()])
  engine.pipeEvents(through: [Journal()])
  engine.errorHandler = { error in  // struct Complaints: ErrorHandler
    if (error as? EngineError)?.isWarning != true { print("\(error)") }
  }
}

enum ChartDeleteStory {
  struct Command: RASPCommands.Command {  // Aftermath.Command
    typealias Output = Chart
    let chart: Chart
  }

  struct Handler: CommandHandler {
    // func handle(command: Command) throws -> Event<Command>
    func handle(_ command: Command, publish: Publisher<Command>) throws -> Chart { command.chart }
  }
}

// MARK: More rows of the tables

struct EngineErrorHandler {  // EngineErrorHandler: ErrorHandler
  func handleError(_ error: any Error) { print(error) }
}

func pipe(through engine: Engine) {
  engine.pipeCommands(through: [
    LogCommandMiddleware(), ErrorCommandMiddleware(),
    ClosureMiddleware<any Command>.abort { $0 is ChartUpdate },  // AbortCommandMiddleware(commands: [ChartUpdate.self])
    ClosureMiddleware<any Command>.fail { $0 is ChartList ? Torn() : nil },  // FailCommandMiddleware(failures: …)
    ClosureMiddleware<any Command>.abort(),  // SilenceCommandMiddleware()
  ])
  engine.pipeEvents(through: [
    ClosureMiddleware<any AnyCommandEvent>.log(),  // LogEventMiddleware()
    ClosureMiddleware<any AnyCommandEvent>.onError(),  // ErrorEventMiddleware()
    ClosureMiddleware<any AnyCommandEvent>.abort { $0.isProgress },  // AbortEventMiddleware(events: …)
    ClosureMiddleware<any AnyCommandEvent>.fail { $0 is CommandEvent<ChartList> ? Torn() : nil },  // FailEventMiddleware
    ClosureMiddleware<any AnyCommandEvent>.abort(),  // SilenceEventMiddleware()
  ])
}

struct Rescue: Middleware {  // do { try next(command) } catch { print(error) }
  func intercept(_ command: any Command, next: Next<any Command>) throws -> MiddlewareResult<any Command> {
    next(command).then { outcome in
      if case .failed(let error) = outcome { print(error) }
      return .stopped
    }
  }
}

struct Forward: Middleware {
  func intercept(_ command: any Command, next: Next<any Command>) throws -> MiddlewareResult<any Command> {
    next.engine.execute(ChartList())  // execute(ChartList())
    return next(command)
  }
}

struct ShowCharts {  // ShowCharts: ReactionBuilder
  func buildReaction() -> RASPCommands.Reaction<[Chart]> { .init(consume: { print($0.count) }) }
}

func show() -> Subscription {
  Engine.shared.react(to: ChartList.self, with: ShowCharts().buildReaction())
}

func handleErrors() {
  Engine.shared.errorHandler = EngineErrorHandler().handleError  // = EngineErrorHandler()
}
