import Aggregate
import Streams

/// What a journal has lost, for those who listen: subscribers of the journal, and those of the diagnostics of its
/// aggregator. If there is none, it is written to standard error, in every build: each kind once.
final class JournalReports: Sendable {
  let failures = Subject<JournalError, Never>()
  private let folder: String
  private let told = Lock(Told())
  private let once = UnheardReports.Once()

  /// A closure that stands by itself in a lock is wrapped once more by each look at it, in a debug build.
  private struct Told {
    var tell: (@Sendable (String) -> Bool)?
  }

  init(of folder: String) {
    self.folder = folder
  }

  /// - Parameter tell: tells the aggregator, and returns whether there is a subscriber.
  func attach(_ tell: @escaping @Sendable (String) -> Bool) { told.withLock { $0.tell = tell } }

  func report(_ error: JournalError) {
    failures.send(error)
    let isToldByAggregator = told.withLock { $0.tell }?("\(error)") == true
    if isToldByAggregator || failures.observerCount > 0 { return }
    var kind = "end"
    if case .unwritable(_, let event, _) = error { kind = event == nil ? "snapshot" : "event" }
    guard once.isFirst(kind) else { return }
    let text = "RASP, the journal \(folder): \(error) Subscribe to `failures`, or to `diagnostics` of its aggregator."
    UnheardReports.writeSoon(text) { [failures] in failures.observerCount > 0 }
  }

  func finish() { failures.finish() }
}
