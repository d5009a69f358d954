import Aggregate
import Foundation
import RASPJournal
import RASPKeyed
import RASPTesting
import Streams
import TestSupport
import Testing

@testable import Playground

@Suite("The scenario ticker", .endsInTime)
struct TickerScenarioTests {
  private func start(
    _ options: Options,
    on scheduler: VirtualScheduler,
    interrupts: Observable<Void, Never> = .merge([]),
    writingTo file: OutputFile
  ) -> Task<Void, any Error> {
    let scenario = TickerScenario(
      options: options,
      scheduler: scheduler,
      generator: SplitMix(seed: 7),
      interrupts: interrupts,
      keys: .merge([])
    )
    return Task { try await scenario.run(output: file.output) }
  }

  /// Runs the scenario for some virtual time.
  private func output(of options: Options, after duration: Duration) async throws -> [[String: Any]] {
    let (file, scheduler) = (try OutputFile(), VirtualScheduler())
    var options = options
    options.duration = duration
    let run = start(options, on: scheduler, writingTo: file)
    // The market, the seconds, and the end.
    #expect(await eventually { scheduler.pending.count >= 3 })
    scheduler.advance(by: duration)
    try await run.value
    return try file.objects()
  }

  @Test("the ranking is reported once a second, with the events of the second, then comes the summary")
  func reports() async throws {
    let objects = try await output(of: Options(json: true), after: .milliseconds(2_500))
    let reports = objects.dropLast()
    #expect(reports.compactMap { $0["field"] as? String } == ["ranking", "ranking"])
    for report in reports {
      let rate = try #require(report["eventsPerSecond"] as? Int)
      // A burst that comes in the same instant as the end of a second may be counted in either.
      #expect((9_900...10_000).contains(rate))
      let rows = try #require(report["rows"] as? [[String: Any]])
      let changes = rows.compactMap { $0["change"] as? Double }
      #expect(changes.count == TickerScreen.reportedCount)
      #expect(changes == changes.sorted(by: >))
      #expect(rows.allSatisfy { $0["symbol"] is String && $0["price"] is Double && $0["count"] is Int })
    }
    let summary = try #require(objects.last?["summary"] as? [String: Any])
    let events = try #require(summary["events"] as? [String: Int])
    #expect((24_900...25_000).contains(events["tick"] ?? 0))
    #expect((summary["changes"] as? [String: Int]) == ["ranking": 2])
    let state = try #require(summary["state"] as? [String: Any])
    #expect(((state["ranking"] as? [String: Any])?["rows"] as? [Any])?.count == TickerScreen.reportedCount)
  }

  @Test("the price of a symbol is explained by its tick, or is as old as the recording")
  func why() async throws {
    let objects = try await output(of: Options(json: true, explainedField: "BAA.price"), after: .milliseconds(2_000))
    let summary = try #require(objects.last?["summary"] as? [String: Any])
    let explained = try #require(summary["why"] as? [String: Any])
    #expect(explained["subject"] as? String == "ticker.BAA.price")
    let link = try #require((explained["by"] as? [[String: Any]])?.first)
    #expect(link["lane"] as? String == "ticker" && (link["label"] as? String)?.hasPrefix("[\"BAA\"]") == true)
  }

  @Test("a symbol or a field that is not there is refused", arguments: ["price", "NO.price", "BAA.prize", ""])
  func wrongField(field: String) throws {
    let failure = try #require(throws: RunFailure.self) {
      _ = try Program.scenarios.run(for: ["ticker", "--why", field])
    }
    #expect(failure.status == .usage)
    #expect(throws: Never.self) { _ = try Program.scenarios.run(for: ["ticker", "--why", "BAA.price"]) }
  }

  @Test("an interrupt ends the run early, and text is written where there is no terminal")
  func interrupt() async throws {
    let (file, scheduler, interrupts) = (try OutputFile(), VirtualScheduler(), Subject<Void, Never>())
    let run = start(Options(), on: scheduler, interrupts: interrupts.observable, writingTo: file)
    #expect(await eventually { interrupts.observerCount != 0 })
    interrupts.send(())
    try await run.value
    #expect(try file.lines().contains("Summary"))
    #expect(scheduler.now == .zero)
  }
}
