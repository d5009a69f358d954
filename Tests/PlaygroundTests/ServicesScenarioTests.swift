import Aggregate
import Foundation
import RASPJournal
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
    try await file.wait(for: "state        1 articles, the newest is “Harbour opens”")
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
    #expect(try file.lines().contains("service      problems: nothing left to do"))
    #expect(scheduler.now == .zero)
  }

  @Test("with --json every line is an object with its kind, and the last one is the summary")
  func json() async throws {
    let (file, scheduler, interrupts) = (try OutputFile(), VirtualScheduler(), Subject<Void, Never>())
    let scenario = ServicesScenario(
      options: Options(json: true),
      scheduler: scheduler,
      interrupts: interrupts.observable
    )
    let run = Task { try await scenario.run(output: file.output) }
    try await file.wait(for: #"{"kind":"state","text":"1 articles, the newest is “Harbour opens”"}"#)
    interrupts.send(())
    try await run.value
    let objects = try file.objects()
    #expect(objects.dropLast().allSatisfy { $0["kind"] is String && $0["text"] is String })
    let summary = try #require(objects.last?["summary"] as? [String: Any])
    #expect((summary["state"] as? [String: Any])?["articles"] as? Int == 1)
  }

  @Test("the last value of a field is explained by the action that has told it")
  func why() async throws {
    let (file, scheduler) = (try OutputFile(), VirtualScheduler())
    let scenario = ServicesScenario(
      options: Options(
        duration: .seconds(2.1),
        json: true,
        explainedField: "problem"
      ),
      scheduler: scheduler,
      interrupts: .merge([])
    )
    let run = Task { try await scenario.run(output: file.output) }
    #expect(await eventually { scheduler.pending.count >= 2 })
    try await file.wait(for: #"{"kind":"state","text":"1 articles, the newest is “Harbour opens”"}"#)
    scheduler.advance(by: .seconds(2.1))
    try await run.value

    let summary = try #require(try file.objects().last?["summary"] as? [String: Any])
    let explained = try #require(summary["why"] as? [String: Any])
    #expect(explained["subject"] as? String == "news.problem")
    let links = try #require(explained["by"] as? [[String: Any]])
    #expect(links.prefix(2).map { $0["lane"] as? String } == ["news", "cluster"])
    #expect(links.prefix(2).allSatisfy { ($0["label"] as? String)?.contains("there is no article 4") == true })
  }

  private static let expected = """
    state        0 articles
    cluster      Cluster
                   Group [serial, transformError, emit, observe(IdentityAction), observe(ArticlesAction), observe(ProgramAction)]
                     IdentityService [with(Identity)]
                       Store<Identity>: ProgramAction, IdentityAction
                     ArticlesService [watch(ArticlesState)]
                       Reducer<ArticlesState>: ArticlesAction
                   ProblemsService [observe(ProblemAction)]
                     Store<Problems> [with(Problems), teardown]: ProblemAction
    action       identity: login("Kim")
    service      Kim is logged in
    action       articles: load
    state        0 articles, loading
    action       articles: loaded [0]
    state        1 articles, the newest is “Harbour opens”
    action       articles: published 1
    action       articles: loaded [1]
    state        2 articles, the newest is “Ship 1 arrives”
    action       articles: published 2
    action       articles: loaded [2]
    state        3 articles, the newest is “Ship 2 arrives”
    action       articles: published 3
    action       articles: loaded [3]
    state        4 articles, the newest is “Ship 3 arrives”
    action       articles: published 4
    service      problem 1: there is no article 4
    action       identity: logout
    service      Kim has left after 1 login
    service      problems: nothing left to do
    ended        The cluster was shut down and takes no more actions. Send before `shutdown()`, or make a new cluster.

    Final state
      articles     4 articles, the newest is “Ship 3 arrives”

    """
}
