import NIOCore
import RASPNATS

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What a log asks of JetStream: JSON to the subjects of its interface, and JSON back.
struct JetStream: Sendable {
  let client: NATSClient

  /// Makes a stream. One that is there and is the same is as good.
  func makeStream(_ configuration: StreamConfiguration) async throws(JetStreamError) {
    let _: Empty = try await ask("STREAM.CREATE.\(configuration.name)", Self.encoded(configuration))
  }

  func stream(_ name: String) async throws(JetStreamError) -> StreamInformation {
    try await ask("STREAM.INFO.\(name)", ByteBuffer())
  }

  /// Makes a consumer.
  ///
  /// - Returns: its name.
  func makeConsumer(of stream: String, _ configuration: ConsumerConfiguration) async throws(JetStreamError) -> String {
    struct Request: Encodable {
      var stream: String
      var config: ConsumerConfiguration

      private enum CodingKeys: String, CodingKey {
        case stream = "stream_name"
        case config
      }
    }
    struct Consumer: Decodable { var name: String }
    let request = Request(stream: stream, config: configuration)
    let consumer: Consumer = try await ask("CONSUMER.CREATE.\(stream)", Self.encoded(request))
    return consumer.name
  }

  /// Subscribes to what a consumer will send.
  func subscribe(to subject: String) async throws(JetStreamError) -> NATSSubscription {
    do throws(NATSError) {
      return try await client.subscribe(to: subject)
    } catch {
      throw .connection(error)
    }
  }

  /// Publishes a message without waiting for an answer.
  func publish(_ payload: ByteBuffer, to subject: String, headers: NATSHeaders = [:]) async throws(JetStreamError) {
    do throws(NATSError) {
      try await client.publish(payload, to: subject, headers: headers)
    } catch {
      throw .connection(error)
    }
  }

  /// Has a consumer deleted, without waiting. JetStream deletes it in any case when its subject has no subscription.
  func deleteConsumer(_ consumer: String, of stream: String) async {
    try? await publish(ByteBuffer(), to: "$JS.API.CONSUMER.DELETE.\(stream).\(consumer)")
  }

  /// Removes the messages of a subject, which may have wildcards, up to a sequence that stays.
  func purge(_ stream: String, subject: String, before sequence: Int) async throws(JetStreamError) {
    struct Request: Encodable {
      var filter: String
      var seq: Int
    }
    let _: Empty = try await ask("STREAM.PURGE.\(stream)", Self.encoded(Request(filter: subject, seq: sequence)))
  }

  // MARK: Messages

  /// The newest message of a subject.
  struct Stored: Sendable {
    var sequence: Int
    var payload: ByteBuffer
    /// `DEL` or `PURGE` if it stands for a removed one.
    var operation: String?
  }

  /// The newest message of a subject; `nil` if there is none.
  ///
  /// - Parameter isDirect: any of the replicas may answer, also one that does not have the newest message.
  func newest(
    of subject: String,
    in stream: String,
    isDirect: Bool
  ) async throws(JetStreamError) -> Stored? {
    if isDirect {
      let message = try await request(ByteBuffer(), to: "$JS.API.DIRECT.GET.\(stream).\(subject)")
      let headers = message.headers
      if let sequence = headers["Nats-Sequence"].flatMap(Int.init) {
        return Stored(sequence: sequence, payload: message.payload, operation: headers["KV-Operation"])
      }
      if message.status == 404 { return nil }
      throw .unreadable(reason: "a message could not be read: \(message.status ?? 0) \(message.statusText ?? "")")
    }
    struct Answer: Decodable {
      struct Message: Decodable {
        var seq: Int
        var data: Data?
        var hdrs: Data?
      }
      var message: Message
    }
    let request = Self.encoded(["last_by_subj": subject])
    do throws(JetStreamError) {
      let message = try await (ask("STREAM.MSG.GET.\(stream)", request) as Answer).message
      let headers = NATSHeaders(block: ByteBuffer(bytes: message.hdrs ?? Data()))
      return Stored(
        sequence: message.seq,
        payload: ByteBuffer(bytes: message.data ?? Data()),
        operation: headers["KV-Operation"]
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
    if let sequence = answer.payload.withUnsafeReadableBytes(AcknowledgedSequence.read) { return sequence }
    let _: Empty = try decode(answer)
    throw .unreadable(reason: "an acknowledgement without a sequence")
  }

  // MARK: Requests

  private func request(
    _ payload: ByteBuffer,
    to subject: String,
    headers: NATSHeaders = [:]
  ) async throws(JetStreamError) -> NATSMessage {
    do throws(NATSError) {
      return try await client.request(payload, to: subject, headers: headers)
    } catch {
      throw .connection(error)
    }
  }

  private func ask<Answer: Decodable>(_ request: String, _ body: ByteBuffer) async throws(JetStreamError) -> Answer {
    try Self.decode(try await self.request(body, to: "$JS.API.\(request)"))
  }

  private static func decode<Answer: Decodable>(_ message: NATSMessage) throws(JetStreamError) -> Answer {
    let data = Data(message.payload.readableBytesView)
    let decoder = JSONDecoder()
    if let failure = try? decoder.decode(Failure.self, from: data) {
      throw .refused(code: failure.error.code ?? failure.error.status, reason: failure.error.description ?? "refused")
    }
    do {
      return try decoder.decode(Answer.self, from: data)
    } catch {
      throw .unreadable(reason: "an answer of JetStream could not be read: \(error)")
    }
  }

  private static func encoded(_ value: some Encodable) -> ByteBuffer {
    // All of them are texts and numbers, which can be encoded.
    ByteBuffer(bytes: (try? JSONEncoder().encode(value)) ?? Data())
  }

  private struct Empty: Decodable {}

  private struct Failure: Decodable {
    struct Error: Decodable {
      var status: Int
      var code: Int?
      var description: String?

      private enum CodingKeys: String, CodingKey {
        case status = "code"
        case code = "err_code"
        case description
      }
    }
    var error: Error
  }
}
