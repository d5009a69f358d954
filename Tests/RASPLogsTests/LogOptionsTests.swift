import Aggregate
import Foundation
import RASPJournal
import RASPLogs
import TestSupport
import Testing

@Suite("Options that make no sense", .endsInTime)
struct LogOptionsTests {
  private func expectRefused(_ word: String, _ body: () async throws -> Void) async {
    let error = await #expect(throws: LogError.self) { try await body() }
    guard case .refused(_, nil, let reason)? = error, reason.contains(word) else {
      Issue.record("\(word): \(String(describing: error))")
      return
    }
  }

  @Test("LOG-27: times and counts of an aggregator are refused by name", arguments: [Duration.zero, .seconds(-1)])
  func aggregator(time: Duration) async {
    let log = MemoryLog<Deposit>()
    func open(
      every interval: Duration = .seconds(1),
      events: Int = 1,
      retry: Duration = .seconds(1),
      limit: Duration = .seconds(60)
    ) async throws {
      _ = try await LoggedSavings(
        by: \.account,
        initial: { _ in Savings() },
        on: log,
        committingEvery: interval,
        orAfter: events,
        retryingAfter: retry,
        restoringWithin: limit
      )
    }
    await expectRefused("committingEvery") { try await open(every: time) }
    await expectRefused("retryingAfter") { try await open(retry: time) }
    await expectRefused("restoringWithin") { try await open(limit: time) }
    for events in [0, -1] { await expectRefused("orAfter") { try await open(events: events) } }
  }

  @Test("LOG-27: those of a folder are refused before it is made", arguments: [Duration.zero, .seconds(-1)])
  func folder(time: Duration) async throws {
    try await inNewFolder { folder in
      await expectRefused("every") { _ = try FileLog<String>(at: folder, syncing: .every(time)) }
      await expectRefused("newest") { _ = try FileLog<String>(at: folder, keeping: .newest(-1)) }
      #expect(!FileManager.default.fileExists(atPath: folder))
      try await FileLog<String>(at: folder, keeping: .newest(0)).close()
    }
  }
}
