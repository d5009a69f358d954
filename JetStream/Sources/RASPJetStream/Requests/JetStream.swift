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

  /// The names of all streams.
  func streamNames() async throws(JetStreamError) -> [String] {
    struct Answer: Decodable {
      var total: Int
      var streams: [String]?
    }
    var names: [String] = []
    while true {
      let answer: Answer = try await ask("STREAM.NAMES", JSON.encode(["offset": names.count]))
      names += answer.streams ?? []
      if names.count >= answer.total || answer.streams?.isEmpty != false { return names }
    }
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

  static func message(of answer: Result<NATSMessage, NATSError>) throws(JetStreamError) -> NATSMessage {
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

  func request(
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

  func ask<Answer: Decodable>(_ request: String, _ body: ByteBuffer) async throws(JetStreamError) -> Answer {
    try Self.decode(try await self.request(body, to: "$JS.API.\(request)"))
  }

  static func decode<Answer: Decodable>(_ message: NATSMessage) throws(JetStreamError) -> Answer {
    if let failure = try? JSON.decode(Failure.self, from: message.payload) {
      throw .refused(code: failure.error.code ?? failure.error.status, reason: failure.error.description ?? "refused")
    }
    do {
      return try JSON.decode(from: message.payload)
    } catch {
      throw .unreadable(reason: "an answer of JetStream could not be read: \(error)")
    }
  }

  struct Empty: Decodable {}

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

/// Finds numbers in an acknowledgement without a JSON decoder, which would cost more than all the rest of an append.
enum Acknowledgement {
  /// - Parameter key: with its quotation marks and the colon.
  /// - Returns: `nil` if there is none, or if the answer is an error.
  static func number(of key: String, in json: UnsafeRawBufferPointer) -> Int? {
    // The name of a stream has no quotation marks, so what looks like a key is one.
    guard !contains(json, #""error""#.utf8), let start = end(of: key.utf8, in: json) else { return nil }
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
