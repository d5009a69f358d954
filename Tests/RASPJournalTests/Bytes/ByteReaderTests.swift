import TestSupport
import Testing

@testable import RASPJournal

@Suite("Bytes by hand")
struct ByteReaderTests {
  /// Reads bytes, and returns what the closure makes of them.
  private func read<Result>(
    _ bytes: [UInt8],
    _ body: (inout ByteReader) throws -> Result
  ) throws -> Result {
    try bytes.withUnsafeBytes { part in
      var reader = ByteReader(part)
      return try body(&reader)
    }
  }

  @Test("everything that is appended is read again")
  func everything() throws {
    var writer = ByteWriter()
    writer.append(UInt8(7))
    writer.append(UInt16(0x1234))
    writer.append(Int32.min)
    writer.append(Int.min)
    writer.append(-0.0)
    writer.append(Double.nan)
    writer.append("Grüße 🛰\0")
    writer.append(contentsOf: [1, 2, 3])
    #expect(writer.count == 1 + 2 + 4 + 8 + 8 + 8 + 14 + 3)
    #expect(writer.bytes[1...2] == [0x34, 0x12])
    try read(writer.bytes) { reader in
      let integers = (try reader.readByte(), try reader.read(UInt16.self), try reader.read(Int32.self))
      #expect(integers == (7, 0x1234, .min))
      let integer = try reader.read(Int.self)
      #expect(integer == .min)
      let numbers = (try reader.read(Double.self), try reader.read(Double.self))
      #expect(numbers.0.sign == .minus)
      #expect(numbers.1.isNaN)
      let text = try reader.readString()
      #expect(text == "Grüße 🛰\0")
      let bytes = try reader.readBytes(3)
      #expect(bytes == [1, 2, 3])
      let left = reader.remaining
      #expect(left == 0)
    }
  }

  @Test(
    "integers of variable length, at each edge",
    arguments: (0..<64).map { UInt64(1) << $0 } + (0..<64).map { UInt64.max >> $0 }
  )
  func varints(number: UInt64) throws {
    var writer = ByteWriter()
    writer.appendVarint(number)
    writer.appendZigzag(Int64(bitPattern: number))
    writer.appendZigzag(-1)
    try read(writer.bytes) { reader in
      let read = try reader.readVarint()
      #expect(read == number)
      let signed = (try reader.readZigzag(), try reader.readZigzag())
      #expect(signed == (Int64(bitPattern: number), -1))
      let left = reader.remaining
      #expect(left == 0)
    }
  }

  @Test("bytes that end early, and lengths that lie, are errors")
  func ends() {
    let many = [UInt8](repeating: 0xFF, count: 9)
    #expect(throws: ByteError.ended) { try read([]) { try $0.readByte() } }
    #expect(throws: ByteError.ended) { try read([1, 2, 3]) { try $0.read(UInt32.self) } }
    #expect(throws: ByteError.ended) { try read([0x80]) { try $0.readVarint() } }
    #expect(throws: ByteError.ended) { try read([1, 2]) { try $0.readBytes(-1) } }
    #expect(throws: ByteError.ended) { try read([1, 2]) { try $0.readBytes(.max) } }
    #expect(throws: ByteError.ended) { try read([2, 65]) { try $0.readString() } }
    // 2^63, and then 2^64 - 1: no length that is there.
    #expect(throws: ByteError.ended) { try read([UInt8](repeating: 0x80, count: 9) + [1]) { try $0.readString() } }
    #expect(throws: ByteError.ended) { try read(many + [1]) { try $0.readString() } }
    #expect(throws: ByteError.numberTooLarge) { try read(many + [2]) { try $0.readVarint() } }
    #expect(throws: ByteError.numberTooLarge) { try read(many + many) { try $0.readVarint() } }
    #expect(throws: ByteError.invalidText) { try read([2, 0xC3, 0x28]) { try $0.readString() } }
  }
}
