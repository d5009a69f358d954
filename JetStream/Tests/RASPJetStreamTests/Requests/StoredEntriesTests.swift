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
    let entry = EntryIdentity(1 << 60, 5)
    let record = CheckpointFormat(
      identity: .max,
      offset: 1 << 40,
      entry: entry,
      creation: 9,
      parts: parts,
      count: 3,
      rows: rows
    )
    let bytes = record.bytes
    #expect(try CheckpointFormat(bytes) == record)
    for length in 0..<bytes.readableBytes {
      #expect(throws: CheckpointFormat.Damage.self) {
        try CheckpointFormat(bytes.getSlice(at: 0, length: length) ?? ByteBuffer())
      }
    }
    // The header has a checksum, which covers all of it.
    for bit in 0..<57 * 8 {
      var other = bytes
      other.setInteger((bytes.getInteger(at: bit / 8) ?? UInt8(0)) ^ 1 << (bit % 8), at: bit / 8)
      #expect(throws: CheckpointFormat.Damage.self) { try CheckpointFormat(other) }
    }
    var later = bytes
    later.setInteger(UInt8(9), at: 0)
    #expect {
      try CheckpointFormat(later)
    } throws: { error in
      (error as? CheckpointFormat.Damage)?.reason.contains("a later version has written it") == true
    }
    var huge = record
    (huge.parts, huge.count, huge.rows) = (1, .max / 2, ByteBuffer())
    #expect(throws: CheckpointFormat.Damage.self) { try CheckpointFormat(huge.bytes) }
  }

  @Test("a record has the bytes that the format says")
  func goldenRecord() throws {
    // Written by Python: struct.pack("<BQqQQqIq", …) and the checksum by a table of its own.
    let golden: [UInt8] = [
      2, 8, 7, 6, 5, 4, 3, 2, 1, 17, 0, 0, 0, 0, 0, 0, 0, 44, 1, 0, 0, 0, 0, 0, 0, 144, 1, 0, 0, 0, 0, 0, 0, 244, 1, 0,
      0, 0, 0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 191, 52, 165, 59, 7, 8, 9,
    ]
    let record = try CheckpointFormat(ByteBuffer(bytes: golden))
    #expect(record.identity == 0x0102_0304_0506_0708)
    #expect(record.offset == 17)
    #expect(record.entry == EntryIdentity(300, 400))
    #expect(record.creation == 500)
    #expect(Array(record.rows.readableBytesView) == [7, 8, 9])
    #expect(Array(record.bytes.readableBytesView) == golden)
    #expect(CRC32C.checksum("123456789".utf8) == 0xE306_9283)
  }

  @Test("the times of a server are read to the nanosecond")
  func times() {
    for (text, time) in [
      ("1970-01-01T00:00:00Z", 0), ("2026-11-23T13:31:04.020301499Z", 1795440664020301499),
      ("2000-02-29T23:59:59.5Z", 951_868_799_500_000_000),
      ("2024-12-31T00:00:00.000000001+00:00", 1_735_603_200_000_000_001),
      ("2026-11-23T13:31:04", nil), ("2026-11-23T13:31:04+01:00", nil), ("2026-13-23T13:31:04Z", nil), ("", nil),
      ("2026-11-23T13:31:04.Z", nil), ("2026-11-23T13:31:04.0203014990Z", nil), ("2026-11-23T-1:31:04Z", nil),
      ("TZ", nil),
    ] as [(String, Int64?)] {
      #expect(ServerTime.nanoseconds(text) == time, "\(text)")
    }
  }
}
