import RASPTesting
import Streams
import TestSupport
import Testing

@testable import Playground

@Suite("The scenario services", .endsInTime)
struct ServicesScenarioTests {
  @Test("it prints its tree, what each part does, and its end, and nothing of it depends on the time it takes")
  func output() async throws {
    let (file, scheduler) = (try OutputFile(), VirtualScheduler())
    let scenario = ServicesScenario(
      options: Options(duration: .seconds(2.1)),
      scheduler: scheduler,
      interrupts: .merge([])
    )
    let run = Task { try await scenario.run(output: file.output) }
    // The ticks and the end; and the state from which the news start.
    #expect(await eventually { scheduler.pending.count >= 2 })
    try await file.wait(for: "  articles: 1, the newest is “Harbour opens”")
    // Not further: what is emitted after the end would race with it.
    scheduler.advance(by: .seconds(2.1))
    try await run.value
    #expect(try file.lines().joined(separator: "\n") == Self.expected)
  }

  @Test("an interrupt ends the run early")
  func interrupt() async throws {
    let (file, scheduler, interrupts) = (try OutputFile(), VirtualScheduler(), Subject<Void, Never>())
    let scenario = ServicesScenario(options: Options(), scheduler: scheduler, interrupts: interrupts.observable)
    let run = Task { try await scenario.run(output: file.output) }
    #expect(await eventually { interrupts.observerCount != 0 })
    interrupts.send(())
    try await run.value
    #expect(try file.lines().contains("problems: nothing left to do"))
    #expect(scheduler.now == .zero)
  }

  private static let expected = """
      articles: 0
    Cluster
      Group [serial, transformError, emit, observe(IdentityAction), observe(ArticlesAction), observe(ProgramAction)]
        IdentityService [with(Identity)]
          Store<Identity>: ProgramAction, IdentityAction
        ArticlesService [watch(ArticlesState)]
          Reducer<ArticlesState>: ArticlesAction
      ProblemsService
        Store<Problems> [with(Problems), teardown]: ProblemAction

    identity action: login("Kim")
    Kim is logged in
    articles action: load
      articles: 0, loading
    articles action: loaded [0]
      articles: 1, the newest is “Harbour opens”
    articles action: published 1
    articles action: loaded [1]
      articles: 2, the newest is “Ship 1 arrives”
    articles action: published 2
    articles action: loaded [2]
      articles: 3, the newest is “Ship 2 arrives”
    articles action: published 3
    articles action: loaded [3]
      articles: 4, the newest is “Ship 3 arrives”
    articles action: published 4
    problem 1: there is no article 4
    identity action: logout
    Kim has left after 1 login
    problems: nothing left to do
    after the end: The cluster was shut down and takes no more actions. Send before `shutdown()`, or make a new cluster.

    """
}
