import Aggregate
import Foundation
import Streams
import TestSupport
import Testing

@testable import RASPJournal

@Suite("Files of the machine")
struct RealFilesTests {
  /// A new folder, which is removed afterwards.
  private func inFolder(_ body: (String) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "RASPJournalTests-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try body(folder)
  }

  private func names(in folder: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
  }

  private func code(_ body: () throws -> Void) -> Int32? {
    guard case .system(_, _, let code)? = #expect(throws: JournalError.self, performing: body) else { return nil }
    return code
  }

  @Test("written and read, over a file that is there, and nothing else is left in the folder")
  func roundTrip() throws {
    try inFolder { folder in
      let path = "\(folder)/ö 1.rasp"
      let recording = Recording<BoatState>.folding([.heading(1), .silence], into: BoatState())
      try Data([1, 2, 3]).write(to: URL(filePath: path))
      for _ in 0..<2 {
        try recording.write(to: path)
        #expect(Content(try Recording<BoatState>(contentsOf: path)) == Content(recording))
      }
      let left = try names(in: folder)
      #expect(left == ["ö 1.rasp"])
    }
  }

  @Test("two files of one recording differ: each has a salt and an identity of its own")
  func stamps() throws {
    try inFolder { folder in
      try Recording<Total>.small.write(to: "\(folder)/1", coding: .byHand)
      try Recording<Total>.small.write(to: "\(folder)/2", coding: .byHand)
      let first = FilePieces([UInt8](try Data(contentsOf: URL(filePath: "\(folder)/1"))))
      let second = FilePieces([UInt8](try Data(contentsOf: URL(filePath: "\(folder)/2"))))
      #expect(first.header[12..<16] != second.header[12..<16])
      #expect(first.header[32..<48] != second.header[32..<48])
    }
  }

  @Test("paths that cannot be are errors of the system")
  func paths() throws {
    try inFolder { folder in
      let small = Recording<Total>.small
      let long = String(repeating: "x", count: 300)
      #expect(mkfifo("\(folder)/pipe", 0o600) == 0)
      let written = ["no/a.rasp", "a\0.rasp", long, ""].map { name in
        code { try small.write(to: "\(folder)/\(name)", coding: .byHand) }
      }
      #expect(written.prefix(3) == [ENOENT, EINVAL, ENAMETOOLONG])
      #expect(written[3] != nil)
      let read = ["\(folder)/none", folder, "/dev/null", "\(folder)/pipe"].map { path in
        code { _ = try Recording<Total>(contentsOf: path, coding: .byHand) }
      }
      #expect(read == [ENOENT, EISDIR, EINVAL, EINVAL])
      let left = try names(in: folder)
      #expect(left == ["pipe"])
    }
  }
}
