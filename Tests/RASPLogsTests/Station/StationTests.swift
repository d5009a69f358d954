import Aggregate
import RASPJournal
import RASPKeyed
import RASPLogs
import TestSupport
import Testing

@Suite("One program over rows of a process and of a log", .endsInTime)
struct StationTests {
  @Test("LOAD-65: one line changes between a journal and a log")
  func oneLineChanges() async throws {
    try await inNewFolder { folder in
      let journal = try KeyedJournal<String, Boiler>(at: folder, startingWith: RecordedRows())
      let boilers = try KeyedAggregator(continuing: journal, by: \BoilerReading.boiler, initial: { _ in Boiler() })
      let result = try await runStation(boilers) { reading in
        await boilers.submit(reading)
        try await journal.flush()
      }
      #expect(result == stationResult)
      #expect(boilers.finish())
      try await journal.close()
    }
    try await inNewFolder { folder in
      let log = try FileLog<BoilerReading>(at: folder, partitions: 4)
      let boilers = try await LoggedAggregator(by: \BoilerReading.boiler, initial: { _ in Boiler() }, on: log)
      let result = try await runStation(boilers) { reading in
        try await boilers.folded(try await boilers.append(reading))
      }
      #expect(result == stationResult)
      #expect(boilers.finish())
      #expect(!boilers.finish())
      await boilers.shutdown()
      try await log.close()
    }
  }
}
