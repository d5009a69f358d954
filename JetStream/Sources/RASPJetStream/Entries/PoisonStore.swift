import NIOCore
import RASPLogs
import RASPNATS

/// Copies entries that cannot be used into a stream of their own, which is made with the first of them.
///
/// A message there has the bytes of the entry, and tells in its headers where it stands and why it was passed over.
struct PoisonStore: Sendable {
  let log: LogConnection

  func setAside(_ offset: Int, of partition: Int, because reason: String) async throws(LogError) {
    let names = log.names
    guard
      let entry = try await log.retrying(
        partition,
        { jetStream async throws(JetStreamError) in try await jetStream.message(offset, in: names.stream(partition)) }
      )
    else { return }
    var stream = StreamConfiguration(name: names.poison, subjects: [names.allPoison])
    stream.numReplicas = log.replicas
    stream.maxMsgsPerSubject = 1
    var headers: NATSHeaders = [
      "RASP-Partition": String(partition), "RASP-Offset": String(offset), "RASP-Time": entry.time,
      "RASP-Subject": entry.subject, "RASP-Reason": Self.line(reason),
      // Setting it aside once more does nothing.
      "Nats-Expected-Last-Subject-Sequence": "0",
    ]
    if let type = entry.headers[EntryTypes.header] { headers[EntryTypes.header] = Self.line(type) }
    try await log.retrying(partition) { [headers, stream] jetStream async throws(JetStreamError) in
      try await jetStream.makeStream(stream)
      do throws(JetStreamError) {
        _ = try await jetStream.store(entry.payload, to: names.poison(partition, offset), headers: headers)
      } catch {
        guard let code = error.code, JetStreamError.Code.wrongLastSequence.contains(code) else { throw error }
      }
    }
  }

  /// A text without line breaks, which no header has.
  private static func line(_ text: String) -> String { text.split(whereSeparator: \.isNewline).joined(separator: " ") }
}
