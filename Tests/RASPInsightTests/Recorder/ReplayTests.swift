import Aggregate
import RASPCommands
import RASPInsight
import RASPServices
import RASPTesting
import Streams
import TestSupport
import Testing

@Suite("A replay")
struct ReplayTests {
  private struct Announce: Command {
    typealias Output = Void
    let speed: Double
  }

  private enum Note: Action { case speed(Double) }

  @Test("REC-08: no subscriber, no handler of a command and no side effect of a reducer is called by a replay")
  func noEffects() async throws {
    let (engine, handled, effects, heard) = (Engine(), Counter(), Counter(), Counter())
    try engine.use(Announce.self, synchronously: { _, _ in _ = handled.increment() })
    try await withCluster {
      Reducer<Int, Note, Void>(state: 0) { _, _ in { _, _ in _ = effects.increment() } }
    } perform: { cluster in
      let boat = Aggregator(initial: Ship())
      let insight = Insight(on: VirtualScheduler())
      let recorder = insight.record(boat, as: "boat", last: 2)
      let token = boat.select(\.speed).subscribe { speed in
        heard.increment()
        engine.execute(Announce(speed: speed))
        Task { try await cluster.send(action: Note.speed(speed)) }
      }
      for speed in 1...4 { boat.send(.speed(Double(speed))) }
      #expect(await eventually { handled.value == 5 && effects.value == 5 })
      token.cancel()

      let recording = recorder.recording
      #expect(recording.steps.map(\.after.speed) == [3, 4])
      #expect(recording.isReproduced)
      #expect(recording.last(.zero).entries.count == 2)
      #expect(recorder.why(\.speed).links.count == 1)
      #expect(insight.timeline.occurrences.count == 2)
      given(recording).then { $0.speed = 4 }
      given(try #require(recording.state(before: 4))).when(.speed(4)).then { $0.speed = 4 }
    }
    #expect(handled.value == 5 && effects.value == 5 && heard.value == 5)
  }

  @Test("REC-09: the same events make the same texts in another process, whose hash seed differs")
  func anotherProcess() async throws {
    let result = try await #require(processExitsWith: .success, observing: [\.standardOutputContent]) {
      print(HashedRun().text)
    }
    let output = String(decoding: result.standardOutputContent, as: UTF8.self)
    let text = HashedRun().text
    #expect(text.contains("[\"a\", \"b\""))
    #expect(output.contains(text))
  }
}

/// A run with sets and dictionaries, whose order is another one in each process.
private struct HashedRun {
  private struct Fleet: AggregateState, Equatable {
    var crews: [String: Set<String>] = [:]
    var newest: Set<String> = []

    mutating func apply(_ crew: [String]) {
      newest = Set(crew)
      for name in crew { crews[name, default: []].formUnion(crew) }
    }
  }

  let text: String

  init() {
    let fleet = Aggregator(initial: Fleet())
    let recorder = Insight(on: VirtualScheduler()).record(fleet, as: "fleet")
    for crew in [["b", "a"], ["d", "c", "b", "a"], ["e", "a", "f"]] { fleet.send(crew) }
    let changes = recorder.recording.timeline.occurrences.flatMap(\.changes)
    text = (["\(recorder.why(\.newest))"] + changes.map { "\($0.path): \($0.old ?? "") \($0.new ?? "")" })
      .joined(separator: "\n")
  }
}
