import NIOCore
import RASPLogs
import Testing

@testable import RASPJetStream

@Suite("What was stored")
struct StoredEntriesTests {
  private let refused = LogError.refused(log: "log", partition: 0, reason: "it is full")

  @Test("callers whose entries went out together get the offsets of their own")
  func offsets() throws {
    var stored = StoredEntries(log: "log", partition: 0)
    stored.append(5, last: .success(15))
    stored.append(1, last: .success(20))
    stored.append(1, last: .failure(refused))
    #expect(stored.newest == 20)
    #expect(try stored.offset(ofLast: 2, before: 2).get() == 12)
    #expect(try stored.offset(ofLast: 3, before: 5).get() == 15)
    #expect(try stored.offset(ofLast: 1, before: 6).get() == 20)
    #expect(try stored.offset(ofLast: 6, before: 6).get() == 20)
  }

  @Test("entries of which some are there are not acknowledged, and others are refused with the reason")
  func failures() {
    var stored = StoredEntries(log: "log", partition: 0)
    stored.append(2, last: .success(2))
    stored.append(2, last: .failure(refused))
    #expect {
      try stored.offset(ofLast: 3, before: 4).get()
    } throws: { error in
      if case LogError.unacknowledged = error { true } else { false }
    }
    #expect {
      try stored.offset(ofLast: 2, before: 4).get()
    } throws: { error in
      if case LogError.refused = error { true } else { false }
    }
  }

  @Test("a record is read as it was written, and damage is an error", arguments: [0, 3])
  func record(parts: Int) throws {
    let rows = ByteBuffer(bytes: parts == 0 ? [1, 2, 3] : [])
    let record = CheckpointFormat(identity: .max, offset: 1 << 40, parts: parts, count: 3, rows: rows)
    let bytes = record.bytes
    #expect(try CheckpointFormat(bytes) == record)
    for length in 0..<bytes.readableBytes {
      #expect(throws: CheckpointFormat.Damage.self) {
        try CheckpointFormat(bytes.getSlice(at: 0, length: length) ?? ByteBuffer())
      }
    }
    var other = bytes
    other.setInteger(UInt8(9), at: 0)
    #expect(throws: CheckpointFormat.Damage.self) { try CheckpointFormat(other) }
    let huge = CheckpointFormat(identity: 1, offset: 1, parts: 1, count: .max / 2, rows: ByteBuffer())
    #expect(throws: CheckpointFormat.Damage.self) { try CheckpointFormat(huge.bytes) }
  }
}
