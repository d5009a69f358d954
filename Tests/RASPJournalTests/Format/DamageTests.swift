import Aggregate
import JournalTestSupport
import TestSupport
import Testing

@testable import RASPJournal

@Suite("A damaged file")
struct DamageTests {
  /// Five events in small batches.
  private let bytes: [UInt8]
  private let pieces: FilePieces

  init() throws {
    bytes = try Recording<Total>.small.bytes(coding: .byHand, batchLimit: 64)
    pieces = FilePieces(bytes)
    try #require(pieces.batches.count > 5)
    try #require(pieces.repaired == bytes)
  }

  /// The error that reading gives. A file that is read is an issue.
  private func refusal(of bytes: [UInt8], sourceLocation: SourceLocation = #_sourceLocation) -> JournalError? {
    do throws(JournalError) {
      _ = try Recording<Total>(bytes, coding: .byHand)
    } catch {
      return error
    }
    Issue.record("the file was read", sourceLocation: sourceLocation)
    return nil
  }

  @Test("FILE-02: cut at every byte: refused, and the place is where it ends")
  func cut() {
    for count in bytes.indices {
      switch refusal(of: Array(bytes[..<count])) {
      case .notARecording where count < 8: break
      case .damaged(_, let offset, _, _) where offset == count: break
      case let other: Issue.record("cut at \(count): \(String(describing: other))")
      }
    }
  }

  @Test("FILE-02: every bit changed: refused")
  func bits() {
    for index in bytes.indices {
      for bit in 0..<8 {
        var changed = bytes
        changed[index] ^= 1 << UInt8(bit)
        switch refusal(of: changed) {
        case .notARecording where index < 8: break
        case .unsupportedFormat where index == 8 || index == 9: break
        case .damaged(_, let offset, let event, _)
        where index >= 10 && offset <= bytes.count && (event == nil) == (index < 64):
          break
        case let other: Issue.record("bit \(bit) of \(index): \(String(describing: other))")
        }
      }
    }
  }

  @Test("FILE-02: bytes after the end: refused, with their place")
  func longer() {
    guard case .damaged("a.rasp", bytes.count, 6, _)? = refusal(of: bytes + [0]) else {
      Issue.record("another error")
      return
    }
    _ = refusal(of: bytes + pieces.batches[1])
  }

  @Test("FILE-02: a batch that is missing, doubled, in the wrong place, or of another file: refused")
  func batches() throws {
    let other = FilePieces(try Recording<Total>.small.bytes(coding: .byHand, salt: 1, batchLimit: 64))
    for index in pieces.batches.indices {
      var changed = pieces
      changed.batches.remove(at: index)
      _ = refusal(of: changed.bytes)
      changed = pieces
      changed.batches.insert(pieces.batches[index], at: index)
      _ = refusal(of: changed.bytes)
      changed.batches = pieces.batches
      changed.batches[index] = other.batches[index]
      _ = refusal(of: changed.bytes)
      for second in pieces.batches.indices where second != index {
        changed.batches = pieces.batches
        changed.batches.swapAt(index, second)
        _ = refusal(of: changed.bytes)
      }
    }
  }

  @Test("the error names file, place, event and remedy")
  func words() {
    var changed = bytes
    let third = 64 + pieces.batches[0].count + pieces.batches[1].count
    changed[third + 40] ^= 1
    let error = refusal(of: changed)
    let event = pieces.batches[2].withUnsafeBytes { BatchHeader($0.part(0..<40)).firstEvent }
    #expect(
      error?.description
        == """
        a.rasp: the file is damaged at offset \(third), before event \(event): a checksum is wrong, so at least one bit was \
        changed. Use a copy of the file.
        """
    )
    #expect(refusal(of: Array("hello, world".utf8))?.description == "a.rasp: the file was not written by RASPJournal.")
  }

  @Test("FILE-04: what a later version writes is no damage: a content, a role, a bit that must be understood")
  func laterVersion() throws {
    var all: [FilePieces] = []
    for (place, value) in [(10, 9), (56, 1), (59, 128)] as [(Int, UInt8)] {
      all.append(pieces)
      all[all.count - 1].header[place] = value
    }
    // The role of the first definition: behind the length of the record, the kind and the number.
    all.append(pieces)
    try #require(all[all.count - 1].batches[0][43] == 2)
    all[all.count - 1].batches[0][43] = 3
    for later in all {
      guard case .laterVersion("a.rasp", let reason)? = refusal(of: later.repaired) else {
        Issue.record("another error")
        return
      }
      #expect(!reason.isEmpty)
    }
    // What may be ignored is.
    var ignorable = pieces
    for place in 52..<56 { ignorable.header[place] = 0xFF }
    _ = try Recording<Total>(ignorable.repaired, coding: .byHand)
  }

  @Test("FILE-04: a later format, and another content, are refused by name")
  func laterFormat() {
    var later = pieces
    later.header[8] = 2
    guard case .unsupportedFormat("a.rasp", 2)? = refusal(of: later.repaired) else {
      Issue.record("another error")
      return
    }
    later = pieces
    later.header[10] = 0
    guard case .notARecording? = refusal(of: later.repaired) else {
      Issue.record("another error")
      return
    }
    later.header[10] = 9
    _ = refusal(of: later.repaired)
  }

  @Test(
    "lengths and counts that lie, under right checksums: refused, and no more is asked for than there is",
    arguments: [UInt32.max, 1 << 31, 1 << 20, 41, 1, 0]
  )
  func lies(number: UInt32) {
    for field in [4, 8] {
      for index in pieces.batches.indices {
        var changed = pieces
        let said = changed.batches[index].withUnsafeBytes { $0.integer(at: field, UInt32.self) }
        if said == number { continue }
        changed.put(number, into: &changed.batches[index], at: field)
        let disk = SimulatedDisk(["a.rasp": changed.repaired])
        #expect(throws: JournalError.self) { try Recording<Total>(contentsOf: "a.rasp", coding: .byHand, on: disk) }
        #expect(disk.largestRead <= bytes.count)
        #expect(disk.openCount == 0)
      }
    }
  }

  @Test("records that lie, under right checksums: refused")
  func recordLies() {
    let ten = [UInt8](repeating: 0xFF, count: 9) + [1]
    let bodies: [[UInt8]] = [
      ten, ten + [0], [0x80], [0], [2, 9, 0], [1, 3], [3, 0, 1, 2], [5, 0, 1, 7, 1, 0], [5, 0, 1, 2, 1, 200],
      [6, 0, 1, 2, 1, 0, 0], [5, 0, 7, 2, 1, 0], [255, 255, 255, 255, 15, 0],
    ]
    for body in bodies {
      for count: UInt32 in [0, 1] {
        for index in 0..<2 {
          _ = refusal(of: pieces.replacing(batch: index, with: body, count: count).repaired)
        }
      }
    }
  }

  @Test("FILE-03: random changes under right checksums, and random bytes, never trap")
  func fuzz() {
    var random = SplitMix(seed: 2)
    for _ in 0..<rounds(100_000) {
      var changed = pieces
      for _ in 0...Int.random(in: 0...3, using: &random) {
        let index = changed.batches.indices.randomElement(using: &random) ?? 0
        let count = changed.batches[index].count
        switch Int.random(in: 0..<5, using: &random) {
        case 0: changed.batches[index].insert(.random(in: .min ... .max, using: &random), at: count)
        case 1: changed.batches[index].removeLast(min(count - 40, Int.random(in: 0...3, using: &random)))
        case 2 where count > 40:
          changed.batches[index][Int.random(in: 40..<count, using: &random)] =
            [0, 0x7F, 0x80, 0xFF].randomElement(using: &random) ?? 0
        default:
          changed.batches[index][Int.random(in: 0..<count, using: &random)] = .random(in: .min ... .max, using: &random)
        }
      }
      let isRight = Int.random(in: 0..<8, using: &random) > 0
      // Both ends are right: a change of a payload may give another recording.
      _ = try? Recording<Total>(isRight ? changed.repaired : changed.bytes, coding: .byHand)
      let bytes = (0..<Int.random(in: 0...200, using: &random)).map { _ in
        UInt8.random(in: .min ... .max, using: &random)
      }
      #expect(throws: JournalError.self) { try Recording<Total>(bytes, coding: .byHand) }
      #expect(throws: JournalError.self) { try Recording<Total>(pieces.header + bytes, coding: .byHand) }
    }
  }
}
