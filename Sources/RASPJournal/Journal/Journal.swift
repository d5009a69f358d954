public import Aggregate
@_exported public import RASPHistory
import RASPKeyed
import RASPSupport
import Streams

/// A folder that keeps the events of one aggregator, so that its state survives the end of the process, and can go
/// back.
///
/// ```swift
/// let journal = try Journal(at: folder, startingWith: GeoState())
/// let geo = try Aggregator(continuing: journal, sources: compass, gps)
/// try await journal.flush()
/// ```
///
/// The fold puts each event into a line, and a thread of the journal writes it. So an event is folded, and its
/// subscribers are told, before it is on the medium; ``flush()`` is the receipt.
///
/// ### What is there after a crash
///
/// The state is restored from a prefix of the events, without a hole, that has all that was flushed. What was being
/// written is cut off. Damage to what was on the medium is refused with the file, the offset and the event, and
/// ``repair(at:startingWith:coding:onPoison:)`` cuts it off on request. Two cases cannot be told from a write that was
/// torn: damage to the last batch that was written before a crash, and a newest segment that was cut and was written
/// after the journal had been closed last.
///
/// ### Lifetime
///
/// ``close()`` ends the aggregator, writes everything and ends the journal. Without it, the journal ends when it and
/// its aggregator have been released; then the folder may be locked for a moment longer.
///
/// - Concurrency: every member may be called from any thread. The thread of the journal folds the events, too, into a
///   state of its own.
public final class Journal<State: AggregateState>: Sendable {
  /// What was found when the journal was opened.
  public let recovery: JournalRecovery

  let owner: JournalOwner<State>
  let folder: JournalFolder
  let initial: State
  let coding: RecordingCoding<State>
  let poison: PoisonPolicy
  private let use: Lock<Use>

  /// Ends the aggregator, and then calls a closure behind all that it has accepted.
  private typealias EndOfAggregator = @Sendable (_ then: @escaping @Sendable () -> Void) -> Void

  private enum Use: Sendable {
    case unused(Continuation<State>)
    case begun
    case used(end: EndOfAggregator)
    case closed
  }

  /// Opens a folder, or makes it, and restores the state.
  ///
  /// - Parameters:
  ///   - path: the folder. The one that it is in must be there.
  ///   - initial: the state before the first event. It must be the same each time.
  ///   - coding: how events and snapshots are written and read.
  ///   - policy: when the system has to bring to the medium what was written.
  ///   - retention: which events are kept.
  ///   - overload: what is done when the disk is too slow.
  ///   - poison: what becomes of an event that cannot be read; see ``JournalRecovery/skipped``.
  ///   - patience: how long another process that has the folder open is waited for, such as one that was killed and is
  ///     still ending.
  ///   - progress: is called on the way, with the number of the event that was restored last.
  /// - Concurrency: it blocks the thread until the state is restored.
  /// - Errors: see ``JournalError``. A folder that is refused is as it was, but for the file `lock`.
  /// - Complexity: O(events) since the newest snapshot.
  public convenience init(
    at path: String,
    startingWith initial: State,
    coding: RecordingCoding<State>,
    syncing policy: SyncPolicy = .eachBatch,
    keeping retention: JournalRetention = .everything,
    onOverload overload: JournalOverload = .wait,
    onPoison poison: PoisonPolicy = .stop,
    waiting patience: Duration = .zero,
    progress: (Int) -> Void = { _ in }
  ) throws(JournalError) {
    var setup = JournalSetup(policy: policy, retention: retention, overload: overload, poison: poison)
    setup.patience = patience
    try self.init(at: path, startingWith: initial, coding: coding, setup, on: POSIXFileSystem(), progress: progress)
  }

  init(
    at path: String,
    startingWith initial: State,
    coding: RecordingCoding<State>,
    _ setup: JournalSetup,
    on system: any FileSystem,
    progress: (Int) -> Void = { _ in }
  ) throws(JournalError) {
    if let problem = setup.problem { throw .refused(folder: path, reason: problem) }
    let folder = try JournalFolder(path: path, system: system).made()
    let lane = CauseLanes.next()
    let store = try JournalStore(
      folder,
      startingWith: initial,
      coding: coding,
      setup,
      lane: lane,
      progress: progress
    )
    self.folder = folder
    self.initial = initial
    self.coding = coding
    poison = setup.poison
    recovery = store.recovery
    let (state, newest) = (store.state, store.newest)
    let clock = TapeClock(ClockScheduler(ContinuousClock()))
    let writer = JournalWriter(
      store,
      folder: folder.path,
      setup,
      origin: { Int64(clamping: setup.clock.wallTime()) - clock.exactNow }
    )
    owner = JournalOwner(writer)
    use = Lock(
      .unused(
        Continuation(
          of: state,
          newest: newest,
          lane: lane,
          clock: clock,
          channel: writer.channel,
          owner: owner
        )
      )
    )
    try writer.start()
  }

  deinit {
    // The aggregator keeps the writer alive.
    use.exchange(with: .closed)
  }

  /// Returns when all that has been folded so far is on the medium.
  ///
  /// An event that was sent while another one was being folded may wait in the line of the aggregator; `submit` tells
  /// when it has been folded.
  ///
  /// - Errors: what has ended the journal, also ``JournalError/closed(folder:)``, and
  ///   ``JournalError/cancelled(folder:)`` if the task was cancelled before. It is not known then which events behind
  ///   the last receipt are on the medium.
  public func flush() async throws(JournalError) {
    let writer = owner.writer
    let target = recovery.event + writer.channel.putCount
    // What is folded from then on is not written any more.
    let takesEvents = writer.channel.takesEvents
    await writer.progress.wait(for: takesEvents ? .durable(target) : .end) { writer.hurry() }
    if let failure = writer.progress.failure { throw failure }
    if takesEvents, writer.progress.durable >= target { return }
    throw writer.progress.hasEnded ? .closed(folder: folder.path) : .cancelled(folder: folder.path)
  }

  /// Ends the aggregator as its `finish()` does, writes all that it has accepted, and ends the journal. So an event
  /// that would not be written is not accepted: `send` returns `false`. The folder says then behind which event it was
  /// closed, so that a copy that has less is refused.
  ///
  /// It returns when the journal has ended, also if the task is cancelled. Until then it waits for what stands in the
  /// line of the aggregator, so no callback of the aggregator may wait for it.
  ///
  /// - Errors: what has ended the journal before.
  public func close() async throws(JournalError) {
    let writer = owner.writer
    switch use.exchange(with: .closed) {
    case .used(let end): end { writer.requestEnd() }
    case .unused: writer.requestEnd()
    // An aggregator that is being made is ended when it is there. Otherwise another call has done it.
    case .begun, .closed: break
    }
    await writer.progress.waitForEnd()
    if let failure = writer.progress.failure { throw failure }
  }

  /// Why the journal has ended, or takes no more events and is about to end; `nil` if it goes on, or was closed.
  public var failure: JournalError? { owner.writer.failure }

  /// What the journal loses from now on: an event that has no bytes, which keeps its number and is left out, a snapshot
  /// that cannot be made, and what ends the journal. It is also a diagnostic of the aggregator, and is written to
  /// standard error in every build if nothing has subscribed to either.
  public var failures: Observable<JournalError, Never> { owner.writer.reports.failures.observable }

  /// Why the newest snapshot could not be made; `nil` if it was. The journal goes on without it, deletes nothing, and
  /// tries again some 10,000 events later.
  public var snapshotFailure: JournalError? { owner.writer.progress.snapshotFailure }

  /// The number of the newest event that is in the folder. It survives the end of the process, and a failure of the
  /// power if ``flush()`` has returned behind it.
  public var writtenCount: Int { owner.writer.progress.written }

  /// How many times the fold had to wait for the disk, because there was no room for more events.
  public var stallCount: Int { owner.writer.channel.stallCount }

  // MARK: The aggregator

  /// Hands out the state to the one aggregator that continues it.
  @usableFromInline
  func begin() throws(JournalError) -> Continuation<State> {
    let before = use.withLock { use in
      let before = use
      if case .unused = use { use = .begun }
      return before
    }
    switch before {
    case .unused(let continuation): return continuation
    case .begun, .used: throw owner.writer.failure ?? .inUse(folder: folder.path)
    case .closed: throw owner.writer.failure ?? .closed(folder: folder.path)
    }
  }

  @usableFromInline
  func start(_ core: AggregatorCore<State>) { take(core) }

  @usableFromInline
  func start<Key, Row>(_ core: KeyedCore<Key, Row>) where State == RecordedRows<Key, Row> { take(core) }

  /// Takes note of the aggregator, which it does not keep alive.
  private func take(_ core: some RecordedCore) {
    owner.writer.reports.attach { [weak core] in core?.tell(.journalFailed($0)) == true }
    let end: EndOfAggregator = { [weak core] then in if let core { core.endContinuation(then) } else { then() } }
    let isClosed = use.withLock { use in
      if case .closed = use { return true }
      use = .used(end: end)
      return false
    }
    if isClosed { end { [writer = owner.writer] in writer.requestEnd() } }
  }
}

extension Journal where State: Codable, State.Event: Codable {
  /// Opens a folder, or makes it, and restores the state. Events and snapshots are JSON, in version 1.
  ///
  /// - Parameters:
  ///   - path: the folder. The one that it is in must be there.
  ///   - initial: the state before the first event. It must be the same each time.
  ///   - policy: when the system has to bring to the medium what was written.
  ///   - retention: which events are kept.
  ///   - overload: what is done when the disk is too slow.
  ///   - poison: what becomes of an event that cannot be read; see ``JournalRecovery/skipped``.
  ///   - patience: how long another process that has the folder open is waited for, such as one that was killed and is
  ///     still ending.
  ///   - progress: is called on the way, with the number of the event that was restored last.
  /// - Concurrency: it blocks the thread until the state is restored.
  /// - Errors: see ``JournalError``. A folder that is refused is as it was, but for the file `lock`.
  /// - Complexity: O(events) since the newest snapshot.
  public convenience init(
    at path: String,
    startingWith initial: State,
    syncing policy: SyncPolicy = .eachBatch,
    keeping retention: JournalRetention = .everything,
    onOverload overload: JournalOverload = .wait,
    onPoison poison: PoisonPolicy = .stop,
    waiting patience: Duration = .zero,
    progress: (Int) -> Void = { _ in }
  ) throws(JournalError) {
    try self.init(
      at: path,
      startingWith: initial,
      coding: .codable,
      syncing: policy,
      keeping: retention,
      onOverload: overload,
      onPoison: poison,
      waiting: patience,
      progress: progress
    )
  }
}
