import Aggregate
import Streams

/// What one aggregator tells of its partitions. What would be lost in silence is written to standard error if nothing
/// has subscribed to it, in every build: each failure, and the first entry of a partition that is passed over.
final class LogReports: Sendable {
  let ownership = Subject<LogOwnership, Never>()
  let skipped = Subject<SkippedEntry, Never>()
  let known: KnownPartitions
  private let log: String
  /// The partitions of which a passed entry was written.
  private let written = Lock<Set<Int>>([])

  init(of log: String, partitions: Int) {
    self.log = log
    known = KnownPartitions(partitions: partitions)
  }

  func tell(_ change: LogOwnership) {
    known.note(change)
    ownership.send(change)
    switch change {
    case .failed(_, let failure):
      write("a partition cannot be owned here: \(failure)", "ownership", of: ownership)
    case .restoring, .live, .deposed, .released, .following: break
    }
  }

  func skip(_ entry: SkippedEntry) {
    known.skip()
    skipped.send(entry)
    guard written.withLock({ $0.insert(entry.position.partition).inserted }) else { return }
    let text = "the entry \(entry.position) is passed over: \(entry.reason)"
    write("\(text) Others of its partition are counted, and not written.", "skipped", of: skipped)
  }

  func write<Value>(_ text: String, _ name: String, of subject: Subject<Value, Never>) {
    if subject.observerCount > 0 { return }
    UnheardReports.writeSoon("RASP, the log \(log): \(text) Subscribe to `\(name)`.") { subject.observerCount > 0 }
  }

  func finish() {
    ownership.finish()
    skipped.finish()
  }
}
