import NIOCore
import RASPLogs
import RASPNATS

/// The messages of streams, as they are read and stored one by one.
extension JetStream {
  /// A message as it stands in its stream.
  struct Kept: Decodable, Sendable {
    var subject: String
    var time: String
    var data: JSON.Bytes?
    var hdrs: JSON.Bytes?

    var headers: NATSHeaders { NATSHeaders(block: hdrs?.bytes ?? ByteBuffer()) }
    var payload: ByteBuffer { data?.bytes ?? ByteBuffer() }
  }

  /// The message of a sequence; `nil` if there is none.
  func message(_ sequence: Int, in stream: String) async throws(JetStreamError) -> Kept? {
    struct Request: Encodable { var seq: Int }
    struct Answer: Decodable { var message: Kept }
    do throws(JetStreamError) {
      return try await (ask("STREAM.MSG.GET.\(stream)", JSON.encode(Request(seq: sequence))) as Answer).message
    } catch {
      if error.code == JetStreamError.Code.noMessageFound { return nil }
      throw error
    }
  }

  /// The messages of sequences, asked for one behind the other; `nil` where there is none.
  func messages(_ sequences: Range<Int>, in stream: String) async throws(JetStreamError) -> [Kept?] {
    struct Request: Encodable { var seq: Int }
    struct Answer: Decodable { var message: Kept }
    let asked = sequences.map { NATSRequest(JSON.encode(Request(seq: $0)), to: "$JS.API.STREAM.MSG.GET.\(stream)") }
    var messages: [Kept?] = []
    for answer in await requests(asked) {
      do throws(JetStreamError) {
        messages.append((try Self.decode(try Self.message(of: answer)) as Answer).message)
      } catch {
        guard error.code == JetStreamError.Code.noMessageFound else { throw error }
        messages.append(nil)
      }
    }
    return messages
  }

  /// What tells the message of a sequence from another one.
  ///
  /// - Returns: `nil` if there is none.
  func identity(of sequence: Int, in stream: String) async throws(JetStreamError) -> EntryIdentity? {
    guard let message = try await message(sequence, in: stream) else { return nil }
    guard let time = ServerTime.nanoseconds(message.time) else {
      throw .unreadable(reason: "a message has the time \"\(message.time)\"")
    }
    return EntryIdentity(time: time, headers: message.headers)
  }

  /// The newest message of a subject.
  struct Stored: Sendable {
    var sequence: Int
    var payload: ByteBuffer
    var headers: NATSHeaders

    /// Whether it stands for one that was deleted, was purged or has expired. Clients and servers tell of that in
    /// different headers, and none of them leaves anything in the message.
    var isRemoved: Bool { payload.readableBytes == 0 }
  }

  /// The newest message of a subject; `nil` if there is none. It is that of the leader of the stream: replicas and
  /// mirrors, which a direct get asks too, may have an older one.
  func newest(of subject: String, in stream: String) async throws(JetStreamError) -> Stored? {
    struct Answer: Decodable {
      struct Message: Decodable {
        var seq: Int
        var data: JSON.Bytes?
        var hdrs: JSON.Bytes?
      }
      var message: Message
    }
    let request = JSON.encode(["last_by_subj": subject])
    do throws(JetStreamError) {
      let message = try await (ask("STREAM.MSG.GET.\(stream)", request) as Answer).message
      return Stored(
        sequence: message.seq,
        payload: message.data?.bytes ?? ByteBuffer(),
        headers: NATSHeaders(block: message.hdrs?.bytes ?? ByteBuffer())
      )
    } catch {
      if error.code == JetStreamError.Code.noMessageFound { return nil }
      throw error
    }
  }

  /// Stores a message.
  ///
  /// - Returns: its sequence; that of the one before if it is a duplicate.
  func store(_ payload: ByteBuffer, to subject: String, headers: NATSHeaders) async throws(JetStreamError) -> Int {
    try Self.sequence(try await request(payload, to: subject, headers: headers))
  }

  /// The sequence that an acknowledgement tells.
  static func sequence(_ answer: NATSMessage) throws(JetStreamError) -> Int {
    // {"stream":"readings-0","seq":17}
    if let sequence = answer.payload.withUnsafeReadableBytes({ Acknowledgement.number(of: #""seq":"#, in: $0) }) {
      return sequence
    }
    let _: Empty = try decode(answer)
    throw .unreadable(reason: "an acknowledgement without a sequence")
  }
}
