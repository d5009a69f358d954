import Aggregate
import RASPCommands
import RASPInsight
import RASPServices
import RASPTesting
import Streams
import TestSupport
import Testing

@Suite("Explanations across engines and clusters")
struct ActivityTests {
  private struct Turn: Command {
    typealias Output = Double
    let degrees: Double
  }

  private struct Refused: Error {}

  private enum Note: Action { case turned(Double) }

  private let time = VirtualScheduler()

  @Test("REC-06: event, execution, event of the command, reaction: the chain goes through all lanes")
  func commands() throws {
    let (boat, engine, insight) = (Aggregator(initial: Ship()), Engine(), Insight(on: time))
    let boats = insight.record(boat, as: "boat")
    let shop = insight.record(engine, as: "shop")
    try engine.use(
      Turn.self,
      synchronously: { command, _ in
        if command.degrees > 180 { throw Refused() }
        return command.degrees
      }
    )
    let reaction = engine.react(to: Turn.self, consume: { degrees in boat.send(.heading(degrees)) })
    let asking = boat.select(\.speed).subscribe { if $0 > 0 { engine.execute(Turn(degrees: $0 * 10)) } }
    boat.send(.speed(9))

    let why = boats.why(\.heading)
    #expect(why.links.map(\.lane) == ["boat", "shop", "shop", "boat"])
    #expect(why.links.map(\.label) == [".heading(90.0)", "Turn, data 90.0", "Turn(degrees: 90.0)", ".speed(9.0)"])
    #expect(why.end == .outside)
    #expect(shop.why(event: 1).links.map(\.lane) == ["shop", "boat"])

    boat.send(.speed(20))
    #expect(shop.timeline.occurrences.compactMap(\.failure) == ["Refused()"])
    let timeline = insight.timeline
    #expect(timeline.lanes.map(\.kind) == [.aggregator, .engine])
    let places = Dictionary(uniqueKeysWithValues: timeline.occurrences.enumerated().map { ($1.id, $0) })
    #expect(timeline.occurrences.enumerated().allSatisfy { $1.cause == .unknown || (places[$1.cause] ?? .max) < $0 })
    withExtendedLifetime((reaction, asking)) {}
  }

  @Test("REC-06: an action that an event has caused, and what it sends")
  func actions() async throws {
    let (boat, insight) = (Aggregator(initial: Ship()), Insight(on: time))
    let boats = insight.record(boat, as: "boat")
    try await withCluster {
      Reducer<Int, Note, Void>(state: 0) { _, action in
        guard case .turned(let heading) = action else { return nil }
        return { _, _ in boat.send(.heading(heading)) }
      }
    } perform: { cluster in
      let app = insight.record(cluster, as: "app")
      try await cluster.send(action: Note.turned(45))
      let why = boats.why(\.heading)
      #expect(why.links.map(\.lane) == ["boat", "app"])
      #expect(why.links.last?.label == ".turned(45.0)")
      #expect(app.timeline.lanes.map(\.kind) == [.cluster])
      #expect(app.why(event: 1).end == .outside)
    }
  }

  @Test("REC-05: a recorder keeps neither the engine nor the cluster alive, and is not kept by the insight")
  func lifetimes() {
    let insight = Insight(on: time)
    let handlers = LifetimeTracker()
    var engine: Engine? = Engine()
    var recorder = engine.map { insight.record($0, as: "shop") }
    _ = try? engine?.use(
      Turn.self,
      synchronously: { [object = handlers.make()] command, _ in
        withExtendedLifetime(object) { command.degrees }
      }
    )
    engine = nil
    #expect(handlers.liveCount == 0)
    #expect(insight.timeline.lanes.count == 1)
    recorder = nil
    #expect(recorder == nil && insight.timeline.lanes.isEmpty)
  }
}
