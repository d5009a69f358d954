import Foundation
import JournalTestSupport
import RASPLogsTesting
import TestSupport
import Testing

@testable import RASPJournal
@testable import RASPLogs

@Suite("Logs in files that a tool has changed", .endsInTime)
struct LogToolsTests {
  @Test("LOG-29: rows go on over a copy that was cut behind their record, and all is folded where it was cut before")
  func cut() async throws {
    try await inNewFolder { folder in
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      let path = "\(folder)/log"
      let log = try FileLog<Deposit>(at: path, partitions: 2)
      let accounts = try await LoggedSavings.opened(on: log)
      for amount in 1...6 { try await accounts.append(Deposit(account: "ada", amount: amount)) }
      await accounts.shutdown()
      let later = try await LoggedSavings.opened(on: log)
      for amount in 7...9 { try await later.append(Deposit(account: "ada", amount: amount)) }
      try await log.close()
      let partition = log.partition(of: "ada")
      let date = JournalPosition.date(Date().addingTimeInterval(60))
      for last in [4, 6, 8, 9] {
        let copy = "\(folder)/copy-\(last)"
        _ = try StoredFolder.copy(StoredFolder.all(at: path), at: path, to: copy, endingAt: date)
        if last < 9 {
          let own = "\(copy)/\(partition)-of-2"
          try FileManager.default.removeItem(atPath: own)
          let folders = try StoredFolder.all(at: path).filter { $0.path.hasSuffix("/\(partition)-of-2") }
          _ = try StoredFolder.copy(folders, at: folders[0].path, to: own, endingAt: .event(last))
        }
        let log = try FileLog<Deposit>(at: copy)
        #expect(try await log.newest(in: partition) == last)
        let accounts = try await LoggedSavings.opened(on: log)
        #expect(accounts.failures.isEmpty, "\(last): \(accounts.failures)")
        #expect(accounts["ada"].current?.sum == (1...last).reduce(0, +), "\(last)")
        await accounts.shutdown()
        try await log.close()
      }
    }
  }
}
