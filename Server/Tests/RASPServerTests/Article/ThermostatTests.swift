import Aggregate
import Logging
import RASPServer
import ServiceLifecycle
import Testing

/// The code of the article "Servers and clients", run.
@Suite("servers and clients", .timeLimit(.minutes(5)))
struct ThermostatTests {
  @Test("a request is answered by what has become of its event")
  func answers() async {
    let thermostat = Aggregator(initial: Thermostat())
    #expect(await put(21, to: thermostat) == 204)
    #expect(await put(90, to: thermostat) == 422)
    thermostat.finish()
    #expect(await put(21, to: thermostat) == 503)
  }

  @Test("a process ends when it is asked to, and the streams of its clients with it")
  func lifecycle() async throws {
    let thermostat = Aggregator(initial: Thermostat())
    let (written, write) = AsyncStream<String>.makeStream()
    let server = WaitingServer {
      async let events: Void = stream(thermostat) { write.yield(String(decoding: $0, as: UTF8.self)) }
      async let text: Void = lines(thermostat) { write.yield($0) }
      _ = try? await (events, text)
    }
    let running = Task { try await serve(thermostat, with: server, logger: Logger(label: "test")) }
    var read: Set<String> = []
    for await text in written.prefix(2) { read.insert(text) }
    #expect(read == ["20.0\n", "data: 20.0\n\n"])
    running.cancel()
    _ = await running.result
    #expect(await put(21, to: thermostat) == 503)
  }

  @Test("what drives a device gets the last state of an orderly shutdown, although it is slow")
  func lastState() async throws {
    let thermostat = Aggregator(initial: Thermostat())
    let (begun, begin) = AsyncStream<Void>.makeStream()
    let (released, release) = AsyncStream<Void>.makeStream()
    let (written, write) = AsyncStream<Double>.makeStream()
    let server = WaitingServer {
      try? await drive(thermostat) { target in
        begin.finish()
        for await _ in released {}
        write.yield(target)
      }
      write.finish()
    }
    let group = ServiceGroup(services: [server], logger: Logger(label: "test"))
    async let running: Void = group.run()
    for await _ in begun {}
    thermostat.send(21)
    thermostat.send(22)
    await group.triggerGracefulShutdown()
    while await put(23, to: thermostat) != 503 { try await Task.sleep(for: .milliseconds(1)) }
    release.finish()
    try await running
    var targets: [Double] = []
    for await target in written { targets.append(target) }
    #expect(targets.first == 20 && targets.last == thermostat.snapshot.target)
  }

  @Test("a process that has not begun is not ready")
  func readiness() {
    let pipeline = PipelineService([], logger: Logger(label: "test"))
    #expect(ready(pipeline).status == 503)
    #expect(ready(pipeline).body == "the process is starting")
  }

  @Test("a feed that cannot be reached is tried again")
  func feed() async {
    let thermostat = Aggregator(initial: Thermostat())
    thermostat.add(packets: targets(from: .unixSocket(path: "/nowhere"), noting: thermostat.health))
    while true {
      if case .retrying? = thermostat.health["feed"]?.status { break }
      try? await Task.sleep(for: .milliseconds(1))
    }
    thermostat.finish()
  }
}
