import NIOConcurrencyHelpers
import RASPLogs
import Streams

@testable import Storm

/// A storm without processes and without a server: publishers and owners of one process, over a log in memory.
enum SmallStorm {
  static func run(ownersWith ownerMutant: Mutant? = nil, publishersWith mutant: Mutant? = nil) async throws -> Findings
  {
    let log = MemoryLog<StormEvent>(partitions: 3)
    let lines = NIOLockedValueBox<[String]>([])
    for index in 0..<2 {
      let settings = Publisher.Settings(index: index, events: 300, keys: 20, seed: 1, batch: 10)
      let target: any EventLog<StormEvent> = mutant.map { MutantLog(log, $0) } ?? log
      let publisher = Publisher(settings: settings) {
        target
      } tell: { line in
        lines.withLockedValue { $0.append(line) }
      }
      try await publisher.run()
    }
    let target: any EventLog<StormEvent> = ownerMutant.map { MutantLog(log, $0, every: 1) } ?? log
    let (stop, stopping) = AsyncStream.makeStream(of: Void.self)
    // An owner has all entries of its log as soon as it is live. It commits them at its end.
    stopping.finish()
    let failures = NIOLockedValueBox<[String]>([])
    await Owner(name: "owner", log: target) { message in
      if case .failed(let reason) = message { failures.withLockedValue { $0.append(reason) } }
    }.run(until: stop)
    if let failure = failures.withLockedValue({ $0.first }) { throw Failure(reason: failure) }
    let report = AppendReport(lines: lines.withLockedValue { $0 }.map { $0[...] })
    return try await Verifier(log: log, report: report).verify()
  }

  struct Failure: Error {
    let reason: String
  }
}
