import Aggregate
import RASPInsight
import RASPServices
import RASPTesting
import Streams
import TestSupport
import Testing

private struct Form: AggregateState {
  enum Event: Sendable {
    case typed(String)
    case located(Int)
  }

  var address = ""
  var location = 0

  mutating func apply(_ event: Event) {
    switch event {
    case .typed(let address): self.address = address
    case .located(let location): self.location = location
    }
  }
}

private struct Map: AggregateState {
  enum Event: Sendable { case searched(String) }

  var searched: [String] = []

  mutating func apply(_ event: Event) {
    if case .searched(let address) = event { searched.append(address) }
  }
}

private struct Geocoder: Sendable {
  func location(of address: String) async -> Int { address.count }
}

private struct Library: Sendable {
  func load(_ address: String, _ done: @escaping @Sendable (Int) -> Void) { done(address.count) }
}

private struct Motion: Action { let room: String }
private struct Quiet: Action { let room: String }
private struct SwitchOff: Action { let room: String }

private struct Rooms: Service {
  var body: some Service {
    On(Quiet.self) { quiet, send in try await send(SwitchOff(room: quiet.room)) }
    On(SwitchOff.self) { _, _ in }
  }
}

@Suite("The article about causes")
struct CausesArticle {
  @Test("every Swift block of the article is compiled by this target")
  func blocksAreCompiled() throws {
    let document = "Sources/RASPInsight/RASPInsight.docc/Causes.md"
    #expect(try ArticleBlocks.count(in: document) == 4)
    #expect(try ArticleBlocks.notCompiled(of: document, in: "Tests/RASPInsightTests/Articles") == [])
  }

  @Test("a subscriber's event names the event it comes from")
  func subscriber() {
    var texts: [String] = []
    func print(_ value: Bool) { texts.append("\(value)") }
    let (form, map) = (Aggregator(initial: Form()), Aggregator(initial: Map()))

    let insight = Insight()
    let formRecorder = insight.record(form, as: "form")
    let mapRecorder = insight.record(map, as: "map")
    let token = form.select(\.address).subscribe { address in
      map.send(.searched(address))
    }

    form.send(.typed("Harbour 1"))
    let cause = mapRecorder.recording.entries.last?.cause
    print(cause?.lane == formRecorder.recording.lane)  // true: an event of the form has caused it

    #expect(texts == ["true"])
    token.cancel()
  }

  @Test("a task takes the cause along")
  func task() async {
    let form = Aggregator(initial: Form())
    let geocoder = Geocoder()
    let recorder = Insight().record(form, as: "form")

    let search = form.select(\.address).subscribe { address in
      let cause = Cause.current
      Task {
        await cause.perform {
          let location = await geocoder.location(of: address)
          form.send(.located(location))
        }
      }
    }

    // The present address has been searched for, too; its search comes from outside.
    #expect(await eventually { recorder.recording.entries.count == 1 })
    form.send(.typed("Harbour 1"))
    #expect(await eventually { recorder.recording.entries.count == 3 })
    let recording = recorder.recording
    #expect(recording.entries.map(\.cause) == [.unknown, .unknown, Cause(lane: recording.lane, number: 2)])
    search.cancel()
  }

  @Test("LOAD-115: a timer that hangs on the actions of a cluster has their cause")
  func timer() async throws {
    let sensors = Subject<Motion, Never>()

    let (motions, time) = (Subject<Motion, Never>(), VirtualScheduler())
    let home = try await Bootstrap {
      Rooms()
        .observe(on: Motion.self) { motions.send($0) }  // what this brings about is brought about by the action
        .emit(using: motions.observable.debounce(for: .seconds(300), on: time).map { Quiet(room: $0.room) })
        .emit(using: sensors.observable)
    }
    let recorder = Insight(on: time).record(home, as: "home")

    sensors.send(Motion(room: "hall"))
    #expect(await eventually { !time.pending.isEmpty })
    time.advance(by: .seconds(300))
    #expect(await eventually { recorder.timeline.occurrences.count == 3 })
    let occurrences = recorder.timeline.occurrences
    #expect(occurrences.map(\.cause) == [.unknown, occurrences[0].id, occurrences[1].id])
    #expect(occurrences.map(\.time) == [.zero, .seconds(300), .seconds(300)])
    await home.shutdown()
  }

  @Test("a callback takes the cause along")
  func callback() {
    let form = Aggregator(initial: Form())
    let library = Library()
    let recorder = Insight().record(form, as: "form")
    let token = form.events.subscribe { event in
      guard case .typed(let address) = event else { return }
      let cause = Cause.current
      library.load(address) { location in
        cause.perform { form.send(.located(location)) }
      }
    }
    form.send(.typed("Harbour 1"))
    #expect(recorder.recording.entries.map(\.cause.number) == [0, 1])
    token.cancel()
  }
}
