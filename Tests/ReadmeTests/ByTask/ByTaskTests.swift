import Aggregate
import RASPTesting
import Streams
import TestSupport
import Testing

/// The programs of the article "Programs by task", run.
@Suite("Programs by task")
struct ByTaskTests {
  private let time = VirtualScheduler()

  @Test("every Swift block of the article is compiled by this target")
  func blocksAreCompiled() throws {
    #expect(try ArticleBlocks.count(in: "Sources/RASP.docc/ByTask.md") >= 10)
    #expect(try ArticleBlocks.notCompiled(of: "Sources/RASP.docc/ByTask.md", in: "Tests/ReadmeTests/ByTask") == [])
  }

  @Test("the station: stale marks, alarms, a sensor that fails and comes back")
  func sensors() async {
    let counter = ParticleCounter()
    let (lines, input) = AsyncStream.makeStream(of: String.self)
    let connections = Counter()
    let thermometers = Log<AsyncThrowingStream<Double, any Error>.Continuation>()
    let station = station(
      connect: {
        connections.increment()
        let (stream, continuation) = AsyncThrowingStream.makeStream(of: Double.self, throwing: (any Error).self)
        thermometers.note(continuation)
        return stream
      },
      counter: counter,
      lines: lines,
      on: time
    )
    let alarms = Recorder(alarm(of: .particles, at: station).observable)
    let stale = Recorder(station.select { $0.measured[.particles]?.freshness.isStale }.observable, on: time)
    for particles in [34.0, 35, 30, 25, 24, 30] { counter.count(particles) }
    #expect(alarms.values == [false, true, false])
    time.advance(by: .seconds(10))
    #expect(stale.values == [true, false, true])
    #expect(stale.records.map(\.instant) == [.zero, .zero, .seconds(5)])
    #expect(station.snapshot.measured[.particles]?.lastMinute.max == 35)
    #expect(station.snapshot.measured[.humidity]?.lastMinute.count == 10)

    thermometers.last?.yield(20)
    #expect(await eventually { station.snapshot.measured[.temperature]?.last == 20 })
    thermometers.last?.finish(throwing: TestError())
    #expect(await eventually { station.snapshot.down == [.temperature] && !time.pending.isEmpty })
    #expect(
      await eventually {
        time.advance(by: .milliseconds(200))
        return connections.value == 2
      }
    )
    #expect(station.snapshot.down == [])
    input.yield("612")
    #expect(await eventually { station.snapshot.measured[.carbonDioxide]?.last == 612 })
    station.finish()
    #expect(counter.callbackCount == 0)
    #expect(time.pending == [])
  }

  @Test("the fleet: a refusal reaches the one who has sent the event, and a stream is of the fields it asked for")
  func fleet() async {
    let devices = Devices()
    #expect(await devices.post(.reading(field: "speed", value: 3), to: "a") == 202)
    #expect(await devices.post(.reading(field: "speed", value: .nan), to: "a") == 422)
    #expect(await devices.post(.reading(field: "depth", value: 5), to: "a") == 202)
    #expect(devices.existing("a")?.snapshot.events == 2)
    #expect(devices.stream(of: [], from: "b") == nil)
    var stream = devices.stream(of: ["depth"], from: "a")?.makeAsyncIterator()
    #expect(await stream?.next() == ["depth": 5])
    devices.shutdown()
    #expect(await stream?.next() == nil)
    #expect(await devices.post(.reading(field: "speed", value: 3), to: "a") == 410)
  }

  @MainActor
  @Test("the form: what is sent is shown at once, what is refused is not, and undo goes back")
  func form() async {
    let model = ProfileModel()
    model.edit(email: "a@b")
    #expect(model.form.email == "a@b")
    model.edit(email: "nonsense")
    #expect(model.form.email == "a@b")
    #expect(await eventually { model.problem == .noAddress })
    model.form[\.name, sending: { .change(.name($0)) }] = "Kim"
    #expect(model.form.name == "Kim" && model.form.canUndo)
    model.form.send(.undo)
    #expect(model.form.name == "" && model.form.email == "a@b")
  }

  @Test("the search cancels the one before")
  func searches() async {
    let queries = Subject<String, Never>()
    let cancelled = Flag()
    let found = Recorder(
      search(
        queries,
        with: { query in
          if query == "ab" { _ = await eventually { Task.isCancelled } }
          if Task.isCancelled { cancelled.raise() }
          return ["found \(query)"]
        },
        on: time
      )
    )
    for query in ["a", "ab"] { queries.send(query) }
    time.advance(by: .seconds(1))
    queries.send("abc")
    time.advance(by: .seconds(1))
    #expect(await eventually { found.values == [["found abc"]] })
    #expect(await eventually { cancelled.isRaised })
  }

  @Test("a sounding is joined with a position that is at most two seconds old; a first value is waited for so long")
  func joins() async {
    let (depths, positions) = (Subject<Int, Never>(), Subject<String, Never>())
    let joined = Recorder(soundings(depths.observable, at: positions.observable, on: time))
    positions.send("A")
    time.advance(by: .seconds(1))
    depths.send(5)
    time.advance(by: .seconds(3))
    depths.send(6)
    positions.send("B")
    depths.send(7)
    #expect(joined.values == ["5@A", "7@B"])
    #expect(await firstFix(Observable([30, 8, 3]), on: time) == 8)
  }

  @Test("two streams are combined without another library")
  func combined() {
    let seen = Recorder(pairs(on: time).map { [$0.0, $0.1] })
    time.run()
    #expect(seen.values == [[0, 0], [1, 0], [2, 0], [2, 1]])
    #expect(seen.ends == [.finished])
  }
}
