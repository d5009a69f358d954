import Foundation
import Streams
import SystemPackage
import Testing

@testable import RASPServer

@Suite("lines of a file that grows", .timeLimit(.minutes(5)))
struct FileTailTests {
  @Test("LOAD-92: a half line waits for its end, and what was there before is not read")
  func halfLines() throws {
    let file = try GrowingFile()
    try file.append("old\nha")
    var tail = try FileTail(file.path, from: .end)
    try file.append("lf\nnext")
    #expect(try tail.read().lines == ["lf"])
    #expect(try tail.read().lines == [])
    try file.append("\n")
    #expect(try tail.read().lines == ["next"])
    var whole = try FileTail(file.path, from: .beginning)
    #expect(try whole.read().lines == ["old", "half", "next"])
  }

  @Test("LOAD-93: an old file is read on until nothing new comes, then the one that has taken its place")
  func rotation() throws {
    let file = try GrowingFile()
    try file.append("a\n")
    var tail = try FileTail(file.path, from: .beginning)
    let old = try FileDescriptor.open(file.path, .writeOnly, options: .append)
    try file.rotate()
    #expect(try tail.read().lines == ["a"])
    #expect(try tail.read().lines == [])  // the path leads nowhere
    try file.append("d\n")
    #expect(try tail.read().lines == [])
    try old.writeAll("b\nc".utf8)
    #expect(try tail.read().lines == ["b"])
    #expect(try tail.read().lines == [])
    #expect(try tail.read().lines == ["c", "d"])
    try old.close()
  }

  @Test("LOAD-94: a file that was truncated is read from its beginning, and one that is not there is waited for")
  func truncation() throws {
    let file = try GrowingFile()
    var tail = try FileTail(file.path, from: .end)
    #expect(try tail.read().lines == [])
    try file.append("first\nhalf")
    #expect(try tail.read().lines == ["first"])
    try file.truncate()
    try file.append("new\n")
    #expect(try tail.read().lines == ["half", "new"])
  }

  @Test("LOAD-95 ★: the lines of a file are those that were written, whatever is done to it between two looks")
  func random() throws {
    for seed in 0..<rounds(3_000) {
      var random = SplitMix(seed: UInt64(seed))
      let file = try GrowingFile()
      var tail = try FileTail(file.path, from: .beginning, longestRead: 16, longestLine: 12)
      // What was written to each file, or since each truncation of one.
      var written: [[UInt8]] = [[]]
      var lines: [String] = []
      func drain() throws {
        while case let look = try tail.read(), look.isBehind || !look.lines.isEmpty { lines += look.lines }
      }
      for _ in 0..<Int.random(in: 1...40, using: &random) {
        switch Int.random(in: 0..<10, using: &random) {
        case 0..<5:
          let bytes = (0..<Int.random(in: 1...30, using: &random)).map { _ in
            [10, 13, 97, 98, 99].randomElement(using: &random)! as UInt8
          }
          try file.append(String(decoding: bytes, as: UTF8.self))
          written[written.count - 1] += bytes
        case 5..<8:
          lines += try tail.read().lines
        case 8:
          // A file that is replaced twice between two looks cannot be seen, so the tail comes to the newest one first.
          for _ in 0..<3 { try drain() }
          try file.rotate()
          if Bool.random(using: &random) { lines += try tail.read().lines }
          try file.append("")
          written.append([])
        default:
          // What was not read before a truncation is gone, and a file that grows past its old end is not seen.
          for _ in 0..<3 { try drain() }
          try file.truncate()
          lines += try tail.read().lines
          written.append([])
        }
      }
      for _ in 0..<4 { try drain() }
      // An end that has not been replaced is still waited for.
      let expected = written.flatMap { reference($0, limit: 12) }
      let last = written.last!.split(separator: 10, omittingEmptySubsequences: false).last!
      let isHalf = last.count % 12 > 0
      #expect(lines == (isHalf ? expected.dropLast() : expected), "seed \(seed)")
    }
  }

  @Test("LOAD-96: a stream of lines follows a file until it is cancelled, in packets and one by one")
  func stream() async throws {
    let file = try GrowingFile()
    try file.append("old\n")
    let lines = Observable.lines(appendedTo: file.path.string, every: .milliseconds(1))
    let packets = Observable.linePackets(appendedTo: file.path.string, from: .beginning, every: .milliseconds(1))
    let reader = lines.values(buffering: .unbounded).makeAsyncIterator()
    let packetReader = packets.values(buffering: .unbounded).makeAsyncIterator()
    try file.append("a\nb\n")
    var (values, all) = (reader, packetReader)
    #expect(try await [values.next(), values.next()] == ["a", "b"])
    var read: [String] = []
    while read.count < 3, let packet = try await all.next() { read += packet }
    #expect(read == ["old", "a", "b"])
  }

  @Test("LOAD-97: a file that may not be read is a failure of the stream")
  func failure() async throws {
    let folder = try TestFolder()
    let lines = Observable.lines(appendedTo: folder.path, from: .beginning, every: .milliseconds(1))
    await #expect(throws: Errno.isDirectory) {
      for try await _ in lines.values(buffering: .unbounded) {}
    }
  }
}

/// A file as a program writes it that is rotated.
struct GrowingFile {
  private let folder: TestFolder
  let path: FilePath
  private let moved: FilePath

  init() throws {
    folder = try TestFolder()
    path = FilePath(folder.path).appending("log")
    moved = FilePath(folder.path).appending("log.1")
  }

  func append(_ text: String) throws {
    let file = try FileDescriptor.open(path, .writeOnly, options: [.append, .create], permissions: .ownerReadWrite)
    try file.closeAfter { _ = try file.writeAll(text.utf8) }
  }

  func truncate() throws {
    try FileDescriptor.open(path, .writeOnly, options: [.truncate, .create], permissions: .ownerReadWrite).close()
  }

  /// Moves the file away. The next text makes a new one.
  func rotate() throws {
    guard FileManager.default.fileExists(atPath: path.string) else { return }
    try? FileManager.default.removeItem(atPath: moved.string)
    try FileManager.default.moveItem(atPath: path.string, toPath: moved.string)
  }
}
