import Foundation
import RASPJetStream
import RASPLogs
import ServerSupport
import Testing

@Suite(
  "One program over rows of a process and of servers",
  .enabled(if: NATSServer.isAvailable, Comment(rawValue: NATSServer.missing)),
  .timeLimit(.minutes(10))
)
struct StationTests {
  @Test("LOAD-65: one line changes between a log in files and one on servers")
  func oneLineChanges() async throws {
    let server = try await NATSServer.start()
    let log = try await JetStreamLog<BoilerReading>(server.url, name: "boilers", partitions: 4, options: .quick)
    let boilers = try await LoggedAggregator(by: \BoilerReading.boiler, initial: { _ in Boiler() }, on: log)
    let result = try await runStation(boilers) { reading in
      try await boilers.folded(try await boilers.append(reading))
    }
    #expect(result == stationResult)
    #expect(boilers.finish())
    await boilers.shutdown(within: .seconds(600))
    try await log.close()
  }

  @Test("the program is that of the tests of logs in files")
  func sameProgram() throws {
    let here = URL(filePath: #filePath).deletingLastPathComponent()
    let root = (0..<4).reduce(here) { folder, _ in folder.deletingLastPathComponent() }
    let other = root.appending(path: "Tests/RASPLogsTests/Station/StationProgram.swift")
    let program = here.appending(path: "StationProgram.swift")
    #expect(try Data(contentsOf: other) == Data(contentsOf: program))
  }
}
