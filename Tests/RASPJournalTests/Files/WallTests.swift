import Aggregate
import Foundation
import JournalTestSupport
import Streams
import TestSupport
import Testing

@testable import RASPJournal

@Suite("What a disk may have", .endsInTime)
struct WallTests {
  private let system = POSIXFileSystem()

  private func inFolder(_ body: (String) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "RASPJournalTests-\(UUID().uuidString)").path
    try system.createFolder(folder)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try await body(folder)
  }

  private func mode(of path: String) throws -> Int? {
    (try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? NSNumber)?.intValue
  }

  @Test("JRN-43: a removed file `lock` lets no second writer in")
  func removedLock() async throws {
    try await inFolder { folder in
      let path = "\(folder)/j"
      let journal = try Journal(at: path, startingWith: Total(), coding: .byHand)
      if FileManager.default.fileExists(atPath: "\(path)/lock") { try system.remove("\(path)/lock") }
      let error = #expect(throws: JournalError.self) { try Journal(at: path, startingWith: Total(), coding: .byHand) }
      guard case .locked? = error else {
        Issue.record("\(String(describing: error))")
        return
      }
      try await journal.close()
      try await Journal(at: path, startingWith: Total(), coding: .byHand).close()
    }
  }

  @Test("JRN-44: files and folders are for their owner only, and keep the permissions that they have")
  func modes() async throws {
    try await inFolder { folder in
      let path = "\(folder)/j"
      let journal = try Journal(at: path, startingWith: Total(), coding: .byHand)
      let aggregator = try Aggregator(continuing: journal)
      aggregator.send(1...3)
      try await journal.close()
      #expect(try mode(of: path) == 0o700)
      for name in try system.list(path) { #expect(try mode(of: "\(path)/\(name)") == 0o600, "\(name)") }
      let file = "\(folder)/a"
      try JournalFolder(path: folder, system: system).replace(file, with: [1])
      #expect(try mode(of: file) == 0o600)
      try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: file)
      try JournalFolder(path: folder, system: system).replace(file, with: [2])
      #expect(try mode(of: file) == 0o640)
    }
  }

  @Test("JRN-44: a link is followed, and not replaced")
  func links() async throws {
    try await inFolder { folder in
      try system.createFolder("\(folder)/real")
      try JournalFolder(path: folder, system: system).replace("\(folder)/real/a", with: [1])
      try FileManager.default.createSymbolicLink(atPath: "\(folder)/link", withDestinationPath: "real/a")
      try JournalFolder(path: folder, system: system).replace("\(folder)/link", with: [2, 3])
      #expect(try Data(contentsOf: URL(filePath: "\(folder)/real/a")) == Data([2, 3]))
      #expect(try FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/link") == "real/a")
    }
  }

  @Test("JRN-50: an option that makes no sense is refused by its name, and no folder is made")
  func options() async throws {
    try await inFolder { folder in
      let path = "\(folder)/j"
      let setups: [(String, SyncPolicy, JournalRetention)] = [
        ("every", .every(.zero), .everything), ("every", .every(.seconds(-1)), .everything),
        ("newest", .eachBatch, .newest(-1)),
      ]
      for (word, policy, retention) in setups {
        let error = #expect(throws: JournalError.self) {
          try Journal(at: path, startingWith: Total(), coding: .byHand, syncing: policy, keeping: retention)
        }
        guard case .refused(path, let reason)? = error, reason.contains(word) else {
          Issue.record("\(String(describing: error))")
          return
        }
      }
      let made = try system.list(folder)
      #expect(made == [])
    }
  }

  @Test("JRN-45: a tail of zeros is cut, and is not read into memory")
  func zeros() async throws {
    try await inFolder { folder in
      let path = "\(folder)/j"
      let journal = try Journal(at: path, startingWith: Total(), coding: .byHand)
      let aggregator = try Aggregator(continuing: journal)
      aggregator.send(1...3)
      try await journal.flush()
      let segment = "\(path)/00000000000000000001.events"
      let bytes = try Data(contentsOf: URL(filePath: segment))
      try await journal.close()
      try bytes.write(to: URL(filePath: segment))
      // A journal that was closed has nothing torn.
      try system.remove("\(path)/00000000000000000003.closed")
      let size = 64 << 20
      #expect(truncate(segment, off_t(bytes.count + size)) == 0)
      let next = try Journal(at: path, startingWith: Total(), coding: .byHand)
      #expect(next.recovery.event == 3 && next.recovery.cutBytes == size)
      try await next.close()
      for name in try system.list(path).filter({ $0.hasSuffix(".cut") }) {
        #expect(try Data(contentsOf: URL(filePath: "\(path)/\(name)")).count < 100)
      }
    }
  }

  @Test("JRN-45: zeros that belong to a batch are part of it")
  func zerosOfBatches() {
    var random = SplitMix(seed: 1)
    for _ in 0..<rounds(2_000) {
      var rest = SegmentRest()
      var all: [UInt8] = []
      for _ in 0..<Int.random(in: 1...5, using: &random) {
        let part = (0..<Int.random(in: 0...100, using: &random)).map { _ in
          UInt8.random(in: 0...3, using: &random) == 0 ? UInt8(7) : 0
        }
        let isAdded = rest.add(part)
        #expect(isAdded)
        all += part
      }
      #expect(rest.count == all.count)
      #expect(rest.bytes == Array(all.prefix(rest.bytes.count)))
      #expect(all.dropFirst(rest.bytes.count).allSatisfy { $0 == 0 })
      let start = Int.random(in: 0...all.count, using: &random)
      let end = Int.random(in: start...all.count, using: &random)
      var (found, expected) = (CRC32C(), CRC32C())
      rest.add(start..<end, to: &found)
      all[start..<end].withUnsafeBytes { expected.add($0) }
      #expect(found.value == expected.value)
    }
  }

  @Test("JRN-45: bytes in which a batch seems to begin everywhere are refused in a time that grows with their number")
  func hostileTail() {
    let size = 1 << 20
    // Each place of the first half has the salt, and as many bytes behind it as the salt says.
    let salt = UInt32(size / 2)
    var bytes = [UInt8](repeating: 1, count: size)
    bytes.withUnsafeMutableBytes { bytes in
      for start in stride(from: 0, to: size / 2, by: 4) {
        bytes.storeBytes(of: salt.littleEndian, toByteOffset: start, as: UInt32.self)
      }
    }
    #expect(!TornTail.mayBeCut(SegmentRest(bytes), salt: salt, nextEvent: 1))
  }
}
