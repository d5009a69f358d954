import NIOCore
import RASPJournal
import RASPNATS

/// An entry as it is sent.
struct EncodedEntry: Sendable {
  var payload: ByteBuffer
  /// The text of the header with the type; `nil` if there is none.
  var type: String?

  /// The bytes that it takes in a message, at most.
  var size: Int { payload.readableBytes + (type?.utf8.count ?? 0) + 256 }
}

extension EncodedEntry {
  /// Encodes entries into one block of memory, of which each has a part.
  static func encode<Entry>(
    _ entries: [Entry],
    with coding: Coding<Entry>
  ) throws(CodingError) -> [EncodedEntry] {
    let types = EntryTypes(of: coding)
    var encoder = ValueEncoder(coding)
    var bytes = ByteBuffer()
    var ends: [(end: Int, type: String?)] = []
    ends.reserveCapacity(entries.count)
    for entry in entries {
      let type = try encoder.encode(entry) { type, payload in
        bytes.writeBytes(payload)
        return types.text(for: type)
      }
      ends.append((bytes.writerIndex, type))
    }
    return ends.map { end, type in
      EncodedEntry(payload: bytes.readSlice(length: end - bytes.readerIndex) ?? ByteBuffer(), type: type)
    }
  }
}

/// The headers of the messages of an append. Each has memory of its own: a block that is shared with a part in use
/// would be copied whenever more is written to it.
enum EntryHeaders {
  /// The headers of a message that is stored by itself.
  static func single(_ identity: String, type: String?) -> NATSHeaders {
    block { bytes in
      write(type, to: &bytes)
      bytes.writeStaticString("Nats-Msg-Id: ")
      bytes.writeString(identity)
      bytes.writeStaticString("\r\n")
    }
  }

  /// The headers of a message of a batch.
  ///
  /// - Parameters:
  ///   - number: the place in the batch, from 1.
  ///   - identity: that of the batch, which stands only in its last message.
  static func part(_ number: Int, of batch: String, closing identity: String?, type: String?) -> NATSHeaders {
    block { bytes in
      write(type, to: &bytes)
      bytes.writeStaticString("Nats-Batch-Id: ")
      bytes.writeString(batch)
      bytes.writeStaticString("\r\nNats-Batch-Sequence: ")
      bytes.writeString(String(number))
      if let identity {
        bytes.writeStaticString("\r\nNats-Batch-Commit: 1\r\nNats-Msg-Id: ")
        bytes.writeString(identity)
      }
      bytes.writeStaticString("\r\n")
    }
  }

  private static func block(_ write: (inout ByteBuffer) -> Void) -> NATSHeaders {
    var bytes = ByteBuffer()
    bytes.reserveCapacity(128)
    bytes.writeStaticString("NATS/1.0\r\n")
    write(&bytes)
    bytes.writeStaticString("\r\n")
    return NATSHeaders(block: bytes)
  }

  private static func write(_ type: String?, to bytes: inout ByteBuffer) {
    guard let type else { return }
    bytes.writeString(EntryTypes.header)
    bytes.writeStaticString(": ")
    bytes.writeString(type)
    bytes.writeStaticString("\r\n")
  }
}
