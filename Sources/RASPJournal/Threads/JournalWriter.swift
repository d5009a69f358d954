import Aggregate
import RASPHistory
import RASPSupport
import Streams
import Synchronization

/// The thread of a journal: it takes what the fold has put into the line, writes it, and waits for more.
///
/// ```
///   take all ──▶ write, sync ──▶ tell waiters ────▶ wait ──▶ park, look again, wait
///      ▲                                               │                  │
///      └───────────────────────────────────────────────┴──────────────────┘
/// ```
///
/// It waits for a moment after each batch, so that an event wakes it only if none has come for a while.
///
/// Safe to share: only the thread uses the store.
final class JournalWriter<State: AggregateState>: @unchecked Sendable {
  let channel: TapeChannel<State.Event>
  let progress: JournalProgress
  let reports: JournalReports

  private let store: JournalStore<State>
  private let signals: JournalSignals
  private let folder: String
  /// Returns what is to be added to the times of the line to get those since 1970, in nanoseconds.
  private let origin: @Sendable () -> Int64
  private let idleWait: Duration

  /// How many events are taken at once.
  private static var batch: Int { 4_096 }

  init(
    _ store: JournalStore<State>,
    folder: String,
    _ setup: JournalSetup,
    origin: @escaping @Sendable () -> Int64
  ) {
    assert(setup.capacity > 0, "a line without room")
    let signals = JournalSignals()
    self.signals = signals
    self.folder = folder
    self.origin = origin
    idleWait = setup.idleWait
    progress = JournalProgress(at: store.newest)
    reports = JournalReports(of: folder)
    self.store = store
    channel = TapeChannel(capacity: setup.capacity) {
      signals.work.wake()
    } awaitRoom: {
      signals.awaitRoom(setup.overload)
    }
  }

  /// Starts the thread.
  func start() throws(JournalError) {
    if !StartedThread.detach({ self.run() }) {
      throw .system(file: folder, call: "pthread_create", code: SystemError.noThread)
    }
  }

  /// Why the journal takes no more events.
  var failure: JournalError? {
    // The events that wait are written before the journal ends.
    progress.failure ?? (signals.isOverloaded.load(ordering: .acquiring) ? overload : nil)
  }

  private var overload: JournalError { .overloaded(folder: folder, waiting: channel.limit) }

  /// Has what waits written and synced without waiting.
  func hurry() { signals.work.wake() }

  /// Ends the thread when all that is in the line has been written.
  func requestEnd() {
    channel.close()
    signals.isEnding.store(true, ordering: .sequentiallyConsistent)
    signals.work.wake()
    signals.room.wake()
  }

  private func run() {
    var failure: JournalError?
    do throws(JournalError) {
      try work()
      if signals.isOverloaded.load(ordering: .acquiring) {
        failure = overload
      }
      try store.close()
    } catch {
      failure = error
    }
    store.abandon()
    channel.close()
    signals.room.wake()
    noteProgress()
    progress.end(failure)
    if let failure { reports.report(failure) }
    reports.finish()
  }

  private func noteProgress() {
    progress.reach(
      written: store.syncs.written,
      durable: store.syncs.durable,
      snapshotFailure: store.snapshotFailure
    )
    for error in store.takeLosses() { reports.report(error) }
  }

  private func work() throws(JournalError) {
    while true {
      channel.announce(.awake)
      let isEnding = signals.isEnding.load(ordering: .acquiring)
      var count = try takeBatch()
      // What has come meanwhile is written and synced together with it, unless a task waits for that.
      while count > 0, !store.isBatchFull, !channel.isEmpty,
        !progress.awaitsSync(of: store.syncs.durable + 1..<Int.max)
      {
        count += try takeBatch()
      }
      if count > 0 { try store.write() } else { try store.syncIfDue() }
      if progress.awaitsSync(of: store.syncs.pending) { try store.sync() }
      noteProgress()
      if !channel.isEmpty { continue }
      if isEnding { return }
      pause(isIdle: count == 0)
    }
  }

  /// The fold gets room for each batch.
  private func takeBatch() throws(JournalError) -> Int {
    if channel.isEmpty { return 0 }
    // The time of day may have been set, and on some systems the clock of the line stands still while they sleep.
    let origin = origin()
    defer { signals.room.wake() }
    return try store.take(Self.batch, from: channel, origin: origin)
  }

  /// - Parameter isIdle: whether nothing has come since the thread has waited.
  private func pause(isIdle: Bool) {
    guard isIdle else {
      channel.announce(.waiting)
      signals.work.wait(atMost: idleWait)
      return
    }
    channel.announce(.parked)
    // An event that was put at this very moment may not have seen that the thread is parked, and may not be seen here.
    // It is seen soon.
    if !channel.isEmpty || signals.work.wait(atMost: max(idleWait, .milliseconds(1))) { return }
    if channel.isEmpty { signals.work.wait(atMost: store.timeToSync) }
  }
}

/// What the fold, the thread and those who wait tell each other.
///
/// Safe to share: every property is safe by itself and does not change.
final class JournalSignals: Sendable {
  /// The thread waits here.
  let work = Parker()
  /// The fold waits here.
  let room = Parker()
  let isEnding = Atomic<Bool>(false)
  let isOverloaded = Atomic<Bool>(false)

  /// Called by the fold while the line is full.
  ///
  /// - Returns: `false` if the line is to be closed.
  func awaitRoom(_ overload: JournalOverload) -> Bool {
    switch overload {
    case .wait:
      room.wait()
      return true
    case .stop:
      isOverloaded.store(true, ordering: .releasing)
      isEnding.store(true, ordering: .sequentiallyConsistent)
      work.wake()
      return false
    }
  }
}

/// Ends the thread of a journal when neither the journal nor its aggregator is there any more.
final class JournalOwner<State: AggregateState>: Sendable {
  let writer: JournalWriter<State>

  init(_ writer: JournalWriter<State>) {
    self.writer = writer
  }

  deinit { writer.requestEnd() }
}
