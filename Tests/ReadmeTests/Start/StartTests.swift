import Aggregate
import RASPServices
import RASPTesting
import Streams
import TestSupport
import Testing

/// The programs of the article "What to take when", run.
@Suite("What to take when", .endsInTime)
struct StartTests {
  @Test("every Swift block of the article is compiled by this target")
  func blocksAreCompiled() throws {
    let document = "Sources/RASP.docc/WhatToTake.md"
    #expect(try ArticleBlocks.count(in: document) == 11)
    #expect(try ArticleBlocks.notCompiled(of: document, in: "Tests/ReadmeTests/Start") == [])
  }

  @Test("an aggregator and rows")
  func states() {
    let (button, meter) = (Subject<Bool, Never>(), Subject<Double, Never>())
    let (house, token) = WhatToTake().aggregator(button: button, meter: meter.observable)
    meter.send(60)
    #expect(house.snapshot.watts == 60)
    #expect(WhatToTake().rows() == ["kitchen"])
    withExtendedLifetime(token) {}
  }

  @Test("services and a command")
  func services() async throws {
    let relay = WhatToTake.Relay()
    let switched = Recorder(relay.switched.observable)
    let cluster = try await WhatToTake().services(relay: relay)
    try await cluster.send(action: WhatToTake.HeatingAction.measured(15))
    try await cluster.send(action: WhatToTake.HeatingAction.measured(16))
    #expect(switched.values == [true])
    await cluster.shutdown()
    #expect(try await WhatToTake().command() == 19)
  }
}
