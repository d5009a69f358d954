import Foundation
import JournalTestSupport
import TestSupport
import Testing

@testable import RASPJournal

@Suite("Folders of the machine")
struct FoldersTests {
  private let system = POSIXFileSystem()

  private func inFolder(_ body: (String) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "RASPJournalTests-\(UUID().uuidString)").path
    try system.createFolder(folder)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try body(folder)
  }

  @Test("a folder that is there is left as it is, and a file in its place is refused")
  func creating() throws {
    try inFolder { folder in
      let file = try system.create("\(folder)/a")
      try system.close(file)
      try system.createFolder(folder)
      #expect(try system.list(folder) == ["a"])
      #expect(throws: SystemError("mkdir", EEXIST)) { try system.createFolder("\(folder)/a") }
      #expect(throws: SystemError("mkdir", ENOENT)) { try system.createFolder("\(folder)/b/c") }
    }
  }

  @Test("a listing has all names, and names the folder that is not there")
  func listing() throws {
    try inFolder { folder in
      let names = (0..<100).map { "file \($0) ö" }
      for name in names { try system.close(try system.create("\(folder)/\(name)")) }
      #expect(try system.list(folder).sorted() == names.sorted())
      #expect(throws: SystemError("opendir", ENOENT)) { try system.list("\(folder)/none") }
    }
  }

  @Test("bytes are appended behind what is there, and cut")
  func appending() throws {
    try inFolder { folder in
      let path = "\(folder)/a"
      for part in [[1, 2, 3], [4, 5]] as [[UInt8]] {
        let file = part == [1, 2, 3] ? try system.create(path) : try system.append(to: path)
        try system.writeAll(part, to: file)
        try system.sync(file)
        try system.close(file)
      }
      let file = try system.append(to: path)
      try system.truncate(file, to: 4)
      try system.writeAll([9], to: file)
      try system.close(file)
      #expect(try Data(contentsOf: URL(filePath: path)) == Data([1, 2, 3, 4, 9]))
      try system.syncFolder(folder)
      #expect(throws: SystemError("open", ENOENT)) { try system.append(to: "\(folder)/none") }
    }
  }

  @Test("a lock keeps this process out, too, until it is closed")
  func locking() throws {
    try inFolder { folder in
      let lock = try system.lock("\(folder)/lock")
      #expect(throws: SystemError("flock", EWOULDBLOCK)) { try system.lock("\(folder)/lock") }
      try system.close(lock)
      try system.close(try system.lock("\(folder)/lock"))
    }
  }

  @Test("an open file whose name is removed")
  func removed() throws {
    try inFolder { folder in
      let path = "\(folder)/a"
      let file = try system.create(path)
      #expect(try !system.isRemoved(file, at: path))
      try system.rename(path, to: "\(folder)/b")
      #expect(try !system.isRemoved(file, at: path))
      try system.remove("\(folder)/b")
      #expect(try system.isRemoved(file, at: path))
      try system.close(file)
    }
  }

  @Test("closing gives up the lock, also if a process that was started has the descriptor")
  func unlocking() throws {
    try inFolder { folder in
      let lock = try system.lock("\(folder)/lock")
      // As `fork` does.
      let copy = dup(lock)
      try system.close(lock)
      try system.close(try system.lock("\(folder)/lock"))
      try system.close(copy)
    }
  }

  @Test("the path of a folder is that of the folder itself, also where a link, a slash or dots lead to it")
  func resolving() throws {
    try inFolder { folder in
      let real = try system.resolve(folder)
      let link = "\(folder)/link"
      try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "target")
      try system.createFolder("\(folder)/target")
      for path in ["\(folder)/target/", "\(folder)/./x/../target", link] {
        if path.contains("x") { try system.createFolder("\(folder)/x") }
        #expect(try JournalFolder(path: path, system: system).made().path == "\(real)/target")
      }
      #expect(try JournalFolder(path: "\(folder)/new/", system: system).made().path == "\(real)/new")
      #expect(throws: SystemError("realpath", ENOENT)) { try system.resolve("\(folder)/none") }
      // What it was opened with may change.
      let opened = try JournalFolder(path: link, system: system).made()
      try system.remove(link)
      let lock = try opened.open()
      #expect(try system.list("\(real)/target") == ["lock"])
      try system.close(lock)
    }
  }

  @Test("a folder that is there may be in one that may not be listed; a new one must be on the medium")
  func unreadableParent() throws {
    let refuses: @Sendable (String, Int) -> SimulatedDisk.Fault? = { call, _ in
      call == "syncFolder" ? .error(EACCES) : nil
    }
    #expect(try JournalFolder(path: "a/b", system: SimulatedDisk(fault: refuses)).made().path == "a/b")
    let new = SimulatedDisk(hasFolders: false, fault: refuses)
    let error = #expect(throws: JournalError.self) { try JournalFolder(path: "a/b", system: new).made() }
    guard case .system("a/b", "syncFolder", EACCES)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }
}
