import Aggregate
import RASPCommands
import RASPInsight
import RASPKeyed
import RASPServices
import RASPTesting
import Streams
import TestSupport
import Testing

@Suite("REC-04: a dump while a subscriber hangs has what it hangs in", .endsInTime)
struct HangingTests {
  private struct Say: Command {
    typealias Output = String
    let word: String
  }

  private struct Noted: Action {
    let word: String
  }

  private let insight = Insight(on: VirtualScheduler())

  /// Has one thread hang in `deliver`, and takes a timeline of everything meanwhile.
  ///
  /// - Parameters:
  ///   - deliver: delivers something, in which `gate` holds the thread.
  ///   - next: delivers something else behind it.
  private func dump(_ gate: Gate, _ deliver: @escaping @Sendable () -> Void, _ next: @escaping @Sendable () -> Void)
    async -> Timeline?
  {
    let taken = Box<Timeline>()
    await Threads.run {
      deliver()
    } _: {
      gate.waitUntilHeld()
      next()
      taken.value = insight.timeline
      gate.open()
    }
    return taken.value
  }

  @Test("rows: the event that is folded, and not the one that waits behind it")
  func rows() async {
    let ships = KeyedAggregator(by: { (_: Ship.Event) in "Kim" }, initial: { _ in Ship() })
    let recorder = insight.record(ships, as: "ships")
    let gate = Gate(patience: longestWait)
    let token = ships["Kim"].select(\.speed).subscribe { if $0 == 1 { gate.hold() } }
    let rows = Box<Recording<Ship>>()
    let run = await dump(gate) {
      ships.send(.speed(1))
    } _: {
      ships.send(.speed(2))
      rows.value = recorder.recording(of: "Kim")
    }
    #expect(run?.occurrences.map(\.label) == [#"["Kim"] .speed(1.0)"#])
    #expect(rows.value?.state.speed == 1)
    #expect(recorder.recording(of: "Kim")?.state.speed == 2)
    token.cancel()
  }

  @Test("an engine: the executions and their events, also those that wait for the lane")
  func engine() async throws {
    let engine = Engine()
    let recorder = insight.record(engine, as: "engine")
    try engine.use(Say.self, synchronously: { command, _ in command.word })
    let gate = Gate(patience: longestWait)
    let token = engine.react(to: Say.self, consume: { if $0 == "first" { gate.hold() } })
    let run = await dump(gate) {
      engine.execute(Say(word: "first"))
    } _: {
      engine.execute(Say(word: "second"))
    }
    #expect(
      run?.occurrences.map(\.label) == [
        #"Say(word: "first")"#, "Say, data first", #"Say(word: "second")"#, "Say, data second",
      ]
    )
    #expect(recorder.why(event: 4).links.map(\.number) == [4, 3])
    token.cancel()
  }

  @Test("a cluster: the action that is carried out, and the one that follows")
  func cluster() async throws {
    let gate = Gate(patience: longestWait)
    let cluster = try await Bootstrap {
      On(Noted.self) { noted, _ in if noted.word == "first" { gate.hold() } }
    }
    let recorder = insight.record(cluster, as: "cluster")
    let (first, second) = (Box<Task<Void, any Error>>(), Box<Task<Void, any Error>>())
    let run = await dump(gate) {
      // The handler holds one thread of the pool, and nothing here waits for the pool.
      first.value = Task { try await cluster.send(action: Noted(word: "first")) }
    } _: {
      second.value = Task { try await cluster.send(action: Noted(word: "second")) }
    }
    #expect(run?.occurrences.first?.label == #"Noted(word: "first")"#)
    #expect(run?.occurrences.first?.duration == nil)
    try await first.value?.value
    try await second.value?.value
    #expect(recorder.timeline.occurrences.map(\.duration).allSatisfy { $0 != nil })
    await cluster.shutdown()
  }
}
