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

  @Test("LOG-29: an entry that was set aside by hand is passed over, also by a program that stops at others")
  func skipped() async throws {
    struct Loose: Codable {
      var account: String
      var amount: Int?
    }
    try await inNewFolder { folder in
      let written = try FileLog<Loose>(at: folder, coding: .codable(version: 1, named: "Deposit"))
      for amount in [1, nil, 2, nil] as [Int?] {
        try await written.append([Loose(account: "ada", amount: amount)], to: 0)
      }
      try await written.close()
      let coding = Coding<Deposit>.codable(version: 1, named: "Deposit")
      for (marked, count) in [(2, 1), (4, 2)] {
        let stored = try #require(try StoredFolder.all(at: folder).first)
        let file = try stored.setAside(marked, because: "by hand")
        #expect(try String(contentsOfFile: file, encoding: .utf8).hasPrefix("event \(marked), type \"Deposit\""))
        // One that can be read is not passed over.
        _ = try stored.setAside(1, because: "by hand")
        let log = try FileLog<Deposit>(at: folder, coding: coding)
        let accounts = try await LoggedSavings.opened(on: log)
        #expect(accounts.skippedCount == count)
        if marked == 2 {
          guard case .unreadable(_, 0, 4, _)? = accounts.failures[0] else {
            Issue.record("\(accounts.failures)")
            return
          }
        } else {
          #expect(accounts.failures.isEmpty)
          #expect(accounts["ada"].current?.sum == 3)
        }
        await accounts.shutdown()
        try await log.close()
      }
      let stored = try #require(try StoredFolder.all(at: folder).first)
      #expect(throws: JournalError.self) { try stored.setAside(99, because: "by hand") }
    }
  }
}
