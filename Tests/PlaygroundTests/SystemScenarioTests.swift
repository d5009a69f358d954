import Foundation
import RASPTesting
import Streams
import TestSupport
import Testing

@testable import Playground

@Suite("The scenario system", .endsInTime)
struct SystemScenarioTests {
  @Test("sensors are read at their own periods for the time asked for, then comes the summary")
  func periods() async throws {
    let (file, scheduler) = (try OutputFile(), VirtualScheduler())
    let scenario = SystemScenario(
      options: Options(duration: .seconds(4), json: true),
      scheduler: scheduler,
      interrupts: .merge([])
    )
    let run = Task { try await scenario.run(output: file.output) }
    // Two timers for each of four sensors, and the one that ends the run.
    #expect(await eventually { scheduler.pending.count >= 9 })
    scheduler.advance(by: .seconds(4))
    try await run.value

    let objects = try file.objects()
    let fields = Set(SystemEvent.sourceNames)
    #expect(objects.dropLast().allSatisfy { fields.contains($0["field"] as? String ?? "") })
    let summary = try #require(objects.last?["summary"] as? [String: Any])
    let events = try #require(summary["events"] as? [String: Int])
    #expect(Set(events.keys).isSuperset(of: fields))
    #expect(Set(try #require(summary["state"] as? [String: Any]).keys) == fields)
    // Those that this machine has were read at once and once per period; the last readings race with the end.
    #expect([0, 8, 9].contains(events["processor"]))
    #expect([0, 4, 5].contains(events["memory"]))
  }

  @Test("an interrupt ends the run early")
  func interrupt() async throws {
    let (file, scheduler, interrupts) = (try OutputFile(), VirtualScheduler(), Subject<Void, Never>())
    let scenario = SystemScenario(
      options: Options(),
      scheduler: scheduler,
      interrupts: interrupts.observable
    )
    let run = Task { try await scenario.run(output: file.output) }
    #expect(await eventually { interrupts.observerCount != 0 })
    interrupts.send(())
    try await run.value
    #expect(try file.lines().contains("Summary"))
    #expect(scheduler.now == .zero)
  }
}
