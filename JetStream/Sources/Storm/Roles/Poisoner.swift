import NIOCore
import RASPLogs
import RASPNATS

/// Somebody who publishes messages to the partitions of a log that are no entries.
struct Poisoner: Sendable {
  let servers: [String]
  let log: String
  let partitions: Int
  let seed: UInt64

  /// Publishes until the task is cancelled.
  ///
  /// - Returns: how many messages were published. Some of them may have been lost with a server.
  func run() async -> Int {
    var random = SeededGenerator(seed: seed &+ 3)
    var count = 0
    guard let client = try? await NATSClient.connect(to: servers) else { return 0 }
    while !Task.isCancelled {
      let bytes = (0..<Int.random(in: 0...3, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
      let subject = "\(log).\(Int.random(in: 0..<partitions, using: &random)).sensor"
      // Without a connection there is nobody to poison.
      if (try? await client.publish(ByteBuffer(bytes: bytes), to: subject)) != nil { count += 1 }
      try? await Task.sleep(for: .milliseconds(20))
    }
    await client.close()
    return count
  }
}
