@testable import RASPJournal

/// A file in pieces, which can be changed and put together with right checksums again.
struct FilePieces: Equatable {
  var header: [UInt8]
  var batches: [[UInt8]]

  init(_ bytes: [UInt8]) {
    header = Array(bytes[..<FileHeader.size])
    batches = []
    var rest = bytes[FileHeader.size...]
    while !rest.isEmpty {
      let length = Array(rest.prefix(BatchHeader.size)).withUnsafeBytes { Int(BatchHeader($0).length) }
      batches.append(Array(rest.prefix(BatchHeader.size + length)))
      rest = rest.dropFirst(BatchHeader.size + length)
    }
  }

  /// The pieces as they are.
  var bytes: [UInt8] { header + batches.joined() }

  /// The pieces with right checksums and links. Lengths stay as they are said.
  var repaired: [UInt8] {
    var header = header
    put(CRC32C.of(Array(header[..<60])), into: &header, at: 60)
    var link = CRC32C.of(Array(header[..<60]))
    var bytes = header
    for batch in batches {
      var batch = batch
      put(link, into: &batch, at: 32)
      link = CRC32C.of(Array(batch[..<12] + batch[16...]))
      put(link, into: &batch, at: 12)
      bytes += batch
    }
    return bytes
  }

  /// The pieces with another body in a batch, and its right length.
  func replacing(batch index: Int, with body: [UInt8], count: UInt32) -> FilePieces {
    var pieces = self
    pieces.batches[index] = Array(batches[index][..<BatchHeader.size]) + body
    put(UInt32(body.count), into: &pieces.batches[index], at: 4)
    put(count, into: &pieces.batches[index], at: 8)
    return pieces
  }

  func put(_ integer: UInt32, into bytes: inout [UInt8], at offset: Int) {
    withUnsafeBytes(of: integer.littleEndian) { bytes.replaceSubrange(offset..<offset + 4, with: $0) }
  }
}
