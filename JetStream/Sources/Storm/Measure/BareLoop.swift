import NIOCore
import RASPNATS

/// The same protocol without a log: streams, requests and a consumer, and nothing that keeps a promise. It is what a
/// log is compared with.
struct BareLoop: Sendable {
  let client: NATSClient
  let streams: Int
  let payload: ByteBuffer

  func prepare() async throws {
    for stream in 0..<streams {
      let configuration = """
        {"name":"bare-\(stream)","subjects":["bare.\(stream)"],"storage":"file","num_replicas":1,"discard":"new"}
        """
      _ = try await client.request(ByteBuffer(string: configuration), to: "$JS.API.STREAM.CREATE.bare-\(stream)")
    }
  }

  /// Stores messages, so many in flight in each stream.
  func append(_ count: Int, batch: Int) async throws {
    assert(count % (streams * batch) == 0, "Each stream gets whole batches.")
    try await withThrowingTaskGroup(of: Void.self) { group in
      for stream in 0..<streams {
        group.addTask {
          let requests = [NATSRequest](repeating: NATSRequest(payload, to: "bare.\(stream)"), count: batch)
          for _ in 0..<count / streams / batch {
            for answer in await client.requests(requests) { _ = try answer.get() }
          }
        }
      }
      try await group.waitForAll()
    }
  }

  /// Receives all messages of all streams.
  ///
  /// - Returns: the number of bytes in them.
  func read(_ count: Int) async throws -> Int {
    try await withThrowingTaskGroup(of: Int.self) { group in
      for stream in 0..<streams {
        group.addTask { try await read(count / streams, of: stream) }
      }
      return try await group.reduce(0, +)
    }
  }

  private func read(_ count: Int, of stream: Int) async throws -> Int {
    let inbox = client.inbox()
    let subscription = try await client.subscribe(to: inbox)
    let configuration = """
      {"stream_name":"bare-\(stream)","config":{"deliver_subject":"\(inbox)","deliver_policy":"all","ack_policy":"none",\
      "max_deliver":1,"flow_control":true,"idle_heartbeat":2000000000,"mem_storage":true,"num_replicas":1}}
      """
    _ = try await client.request(ByteBuffer(string: configuration), to: "$JS.API.CONSUMER.CREATE.bare-\(stream)")
    var (received, bytes) = (0, 0)
    while received < count, let batch = try await subscription.nextBatch() {
      for message in batch {
        if message.status == nil {
          received += 1
          bytes += message.payload.readableBytes
        } else if let reply = message.reply {
          // The server waits for this answer before it sends more.
          try await client.publish(ByteBuffer(), to: reply)
        }
      }
    }
    subscription.unsubscribe()
    return bytes
  }
}
