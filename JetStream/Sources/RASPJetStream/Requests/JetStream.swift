import NIOCore
import RASPLogs
import RASPNATS

/// What a log asks of JetStream: JSON to the subjects of its interface, and JSON back.
struct JetStream: Sendable {
  let client: NATSClient
  /// When the call is over for which it asks. Nothing is sent after that.
  var deadline: ContinuousClock.Instant?

  /// Makes a stream. One that is there and is the same is as good.
  func makeStream(_ configuration: StreamConfiguration) async throws(JetStreamError) {
    let _: Empty = try await ask("STREAM.CREATE.\(configuration.name)", JSON.encode(configuration))
  }

  func stream(_ name: String) async throws(JetStreamError) -> StreamInformation {
    try await ask("STREAM.INFO.\(name)", ByteBuffer())
  }

  /// What a stream has, with the messages that were deleted inside it.
  func deletions(in name: String) async throws(JetStreamError) -> StreamInformation {
    try await ask("STREAM.INFO.\(name)", ByteBuffer(string: #"{"deleted_details":true}"#))
  }

  /// The subjects that the messages of a stream have, of those that fit. A server tells the first 100,000 of them.
  func subjects(_ filter: String, in name: String) async throws(JetStreamError) -> [String] {
    struct Answer: Decodable {
      struct State: Decodable { var subjects: [String: Int]? }
      var state: State
    }
    let request = JSON.encode(["subjects_filter": filter])
    return try await (ask("STREAM.INFO.\(name)", request) as Answer).state.subjects.map { Array($0.keys) } ?? []
  }

  /// Several streams, asked for one behind the other.
  ///
  /// - Returns: `nil` for a stream that is not there.
  func streams(_ names: [String]) async throws(JetStreamError) -> [StreamInformation?] {
    let answers = await requests(names.map { NATSRequest(ByteBuffer(), to: "$JS.API.STREAM.INFO.\($0)") })
    var streams: [StreamInformation?] = []
    for answer in answers {
      do throws(JetStreamError) {
        streams.append(try Self.decode(try Self.message(of: answer)))
      } catch {
        guard error.code == JetStreamError.Code.streamNotFound else { throw error }
        streams.append(nil)
      }
    }
    return streams
  }

  private static func message(of answer: Result<NATSMessage, NATSError>) throws(JetStreamError) -> NATSMessage {
    try answer.mapError { JetStreamError.connection($0) }.get()
  }

  /// Makes a consumer.
  ///
  /// - Returns: its name.
  func makeConsumer(of stream: String, _ configuration: ConsumerConfiguration) async throws(JetStreamError) -> String {
    struct Request: Encodable {
      var streamName: String
      var config: ConsumerConfiguration
    }
    struct Consumer: Decodable { var name: String }
    let request = Request(streamName: stream, config: configuration)
    let consumer: Consumer = try await ask("CONSUMER.CREATE.\(stream)", JSON.encode(request))
    return consumer.name
  }

  /// Subscribes to what a consumer will send: messages with these subjects.
  func subscribe(to subject: String, delivering subjects: [String]) async throws(JetStreamError) -> NATSSubscription {
    try await connected { () async throws(NATSError) in
      try await client.subscribe(to: subject, delivering: subjects)
    }
  }

  /// Publishes a message without waiting for an answer.
  func publish(_ payload: ByteBuffer, to subject: String, headers: NATSHeaders = [:]) async throws(JetStreamError) {
    try await connected { () async throws(NATSError) in
      try await client.publish(payload, to: subject, headers: headers)
    }
  }

  /// Removes the messages of a subject, which may have wildcards, up to a sequence that stays.
  func purge(_ stream: String, subject: String, before sequence: Int) async throws(JetStreamError) {
    struct Request: Encodable {
      var filter: String
      var seq: Int
    }
    let _: Empty = try await ask("STREAM.PURGE.\(stream)", JSON.encode(Request(filter: subject, seq: sequence)))
  }

  // MARK: Messages

  /// A message as it stands in its stream.
  struct Kept: Decodable, Sendable {
    var subject: String
    var time: String
    var data: JSON.Bytes?
    var hdrs: JSON.Bytes?

    var headers: NATSHeaders { NATSHeaders(block: hdrs?.bytes ?? ByteBuffer()) }
    var payload: ByteBuffer { data?.bytes ?? ByteBuffer() }

    /// What stands for a message that is not there any more.
    static let gone = Kept(subject: "", time: "", data: nil, hdrs: nil)
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
        var data: JSON.Bytes?
        var hdrs: JSON.Bytes?
      }
      var message: Message
    }
    let request = JSON.encode(["last_by_subj": subject])
    do throws(JetStreamError) {
      let message = try await (ask("STREAM.MSG.GET.\(stream)", request) as Answer).message
      let headers = NATSHeaders(block: message.hdrs?.bytes ?? ByteBuffer())
      return Stored(
        sequence: message.seq,
        payload: message.data?.bytes ?? ByteBuffer(),
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

  /// How long a request may take.
  private var timeLimit: Duration {
    let usual = client.options.requestTimeLimit
    return deadline.map { min(usual, max(.zero, $0 - .now)) } ?? usual
  }

  /// Sends requests one behind the other, and waits for all answers.
  func requests(_ requests: [NATSRequest]) async -> [Result<NATSMessage, NATSError>] {
    await client.requests(requests, timeLimit: timeLimit)
  }

  private func request(
    _ payload: ByteBuffer,
    to subject: String,
    headers: NATSHeaders = [:]
  ) async throws(JetStreamError) -> NATSMessage {
    try await connected { () async throws(NATSError) in
      try await client.request(payload, to: subject, headers: headers, timeLimit: timeLimit)
    }
  }

  private func connected<Result>(
    _ body: () async throws(NATSError) -> Result
  ) async throws(JetStreamError) -> Result {
    do throws(NATSError) {
      return try await body()
    } catch {
      throw .connection(error)
    }
  }

  private func ask<Answer: Decodable>(_ request: String, _ body: ByteBuffer) async throws(JetStreamError) -> Answer {
    try Self.decode(try await self.request(body, to: "$JS.API.\(request)"))
  }

  private static func decode<Answer: Decodable>(_ message: NATSMessage) throws(JetStreamError) -> Answer {
    if let failure = try? JSON.decode(Failure.self, from: message.payload) {
      throw .refused(code: failure.error.code ?? failure.error.status, reason: failure.error.description ?? "refused")
    }
    do {
      return try JSON.decode(from: message.payload)
    } catch {
      throw .unreadable(reason: "an answer of JetStream could not be read: \(error)")
    }
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

/// Finds the sequence in an acknowledgement without a JSON decoder, which would cost more than all the rest of an
/// append.
enum AcknowledgedSequence {
  /// - Returns: `nil` if the answer is an error, or none at all.
  static func read(_ json: UnsafeRawBufferPointer) -> Int? {
    // The name of a stream has no quotation marks, so what looks like a key is one.
    guard !contains(json, #""error""#.utf8), let start = end(of: #""seq":"#.utf8, in: json) else { return nil }
    let digits = json[start...].prefix { $0 >= 48 && $0 <= 57 }
    return json.decimal(from: start, to: digits.endIndex).flatMap { $0 > 0 ? $0 : nil }
  }

  private static func contains(_ json: UnsafeRawBufferPointer, _ key: String.UTF8View) -> Bool {
    end(of: key, in: json) != nil
  }

  private static func end(of key: String.UTF8View, in json: UnsafeRawBufferPointer) -> Int? {
    let length = key.count
    guard json.count >= length else { return nil }
    return (0...json.count - length).first { json[$0..<$0 + length].elementsEqual(key) }.map { $0 + length }
  }
}
