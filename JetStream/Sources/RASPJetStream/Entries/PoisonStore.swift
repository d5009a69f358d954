import NIOCore
import RASPLogs
import RASPNATS

/// Copies entries that cannot be used into a stream of their own, which is made with the first of them.
///
/// A message there has the bytes of the entry, and tells in its headers where it stands and why it was passed over.
///
/// An owner does so by its policy. An operator does so by hand, and that is a decision for all owners, whatever their
/// policy is: an entry that cannot be read is passed over, and one that is not there any more was deleted on purpose.
struct PoisonStore: Sendable {
  let log: LogConnection

  /// - Parameter isByHand: whether an operator decides it. Then it counts also for an entry that is not there any more.
  func setAside(
    _ offset: Int,
    of partition: Int,
    because reason: String,
    isByHand: Bool = false
  ) async throws(LogError) {
    let names = log.names
    let found = try await log.retrying(partition) { jetStream async throws(JetStreamError) in
      try await jetStream.message(offset, in: names.stream(partition))
    }
    guard let entry = found ?? (isByHand ? JetStream.Kept.gone : nil) else { return }
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
        guard error.code == JetStreamError.Code.wrongLastSequence else { throw error }
      }
    }
  }

  /// Whether an entry was set aside.
  func has(_ offset: Int, of partition: Int) async throws(LogError) -> Bool {
    let names = log.names
    let stored = try await log.retrying(partition) { jetStream async throws(JetStreamError) in
      do throws(JetStreamError) {
        return try await jetStream.newest(of: names.poison(partition, offset), in: names.poison)
      } catch {
        if error.code == JetStreamError.Code.streamNotFound { return nil }
        throw error
      }
    }
    return stored != nil
  }

  /// Which of some offsets were set aside.
  func offsets(of partition: Int, in offsets: ClosedRange<Int>) async throws(LogError) -> [ClosedRange<Int>] {
    let names = log.names
    let subjects = try await log.retrying(partition) { jetStream async throws(JetStreamError) in
      do throws(JetStreamError) {
        return try await jetStream.subjects(names.allPoison(of: partition), in: names.poison)
      } catch {
        if error.code == JetStreamError.Code.streamNotFound { return [] }
        throw error
      }
    }
    let found = subjects.compactMap { Int($0.split(separator: ".").last ?? "") }.filter(offsets.contains)
    return Deletions.joined(found.sorted().map { $0...$0 })
  }

  /// A text without line breaks, which no header has.
  private static func line(_ text: String) -> String { text.split(whereSeparator: \.isNewline).joined(separator: " ") }
}
