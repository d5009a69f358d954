import Aggregate
import RASPPrimitives
import Streams

/// The sources of an aggregator over a log, and what they have sent that is not appended yet.
///
/// Each partition has a line, and a task while something waits in it: the events of a partition keep their order, and a
/// partition that is slow does not hold the others.
///
/// Safe to share: what changes is behind the lock; the log and users are called after unlocking.
final class SourceLines<Key: PartitionKey, State: AggregateState>: SourceFollower {
  typealias Event = State.Event

  let sources = SourceList()
  let reports = Reports<State>()
  let unappended = Subject<UnappendedEvents<State.Event>, Never>()
  private let setup: PartitionSetup<Key, State>
  private let lines: Lock<Lines>

  /// The greatest number of events that are appended at once.
  private static var mostAtOnce: Int { 1_000 }
  /// A line that has grown to this number of events, or to twice the number that was reported last, is reported. There
  /// is no bound, because what sources have sent is not dropped.
  private static var alarm: Int { 1 << 16 }

  private struct Lines: Sendable {
    var present: [SourceLine<State.Event>]
    var count = 0
    var alarm: Int
    var isOpen = true
    /// Whether nothing is tried again.
    var isGivenUp = false
    /// Those who wait until all lines are empty.
    var waiters: [Latch] = []
  }

  init(_ setup: PartitionSetup<Key, State>) {
    self.setup = setup
    lines = Lock(Lines(present: Array(repeating: SourceLine(), count: setup.log.partitions), alarm: Self.alarm))
  }

  /// The number of events that are not appended yet.
  var count: Int { lines.withLock { $0.count } }
  /// The newest entries that sources have appended, by their partitions.
  var newest: [(partition: Int, offset: Int)] {
    lines.withLock { lines in lines.present.enumerated().filter { $0.1.newest > 0 }.map { ($0.0, $0.1.newest) } }
  }

  // MARK: What comes in

  var isDelivering: Bool { false }
  var health: HealthList { reports.hubs.health }

  func receive(_ event: State.Event, from source: SourceID?) -> Bool { receive(contentsOf: [event], from: source) }

  func receive(contentsOf events: [State.Event], from source: SourceID?) -> Bool {
    let places = events.map(setup.partition(of:))
    let (isAccepted, started, grown) = lines.withLock { lines -> (Bool, Set<Int>, Int?) in
      guard lines.isOpen else { return (false, [], nil) }
      var started: Set<Int> = []
      for (event, place) in zip(events, places) {
        lines.present[place].waiting.append((event, source))
        if lines.present[place].begin() { started.insert(place) }
      }
      lines.count += events.count
      guard lines.count >= lines.alarm else { return (true, started, nil) }
      lines.alarm *= 2
      return (true, started, lines.count)
    }
    for partition in started { start(partition) }
    if let grown { report(.lineGrown(grown)) }
    return isAccepted
  }

  func behindAllEvents(_ action: @escaping @Sendable () -> Void) {
    let busy = lines.withLock { lines -> CountDownLatch? in
      let busy = lines.present.indices.filter { lines.present[$0].isBusy }
      if busy.isEmpty { return nil }
      let latch = CountDownLatch(busy.count, then: action)
      for index in busy { lines.present[index].marks.append { latch.countDown() } }
      return latch
    }
    if busy == nil { action() }
  }

  func maintainBehindAllEvents(_ action: @escaping @Sendable () -> Void) { behindAllEvents(action) }
  func sourceFailed(_ source: SourceID, _ error: any Error) { reports.sourceFailed(source, error) }
  func report(_ diagnostic: AggregatorDiagnostic) { reports.diagnose(diagnostic) }

  // MARK: What goes into the log

  private func start(_ partition: Int) {
    let task = Task { await self.append(to: partition) }
    let isGivenUp = lines.withLock { lines in
      if lines.present[partition].isBusy { lines.present[partition].task = task }
      return lines.isGivenUp
    }
    if isGivenUp { task.cancel() }
  }

  /// Appends what waits for a partition until nothing does.
  private func append(to partition: Int) async {
    while let (events, marks) = take(from: partition) {
      for first in stride(from: 0, to: events.count, by: Self.mostAtOnce) {
        let group = events[first..<min(first + Self.mostAtOnce, events.count)]
        // What a source has sent before it was removed does not count.
        let present = group.filter { event in event.source.map(sources.isRemoved(_:)) != true }.map(\.event)
        if !present.isEmpty { await append(present, to: partition) }
        lines.withLock { $0.count -= group.count }
      }
      for mark in marks { mark() }
    }
  }

  /// - Returns: `nil` if nothing waits, so that the task of the line ends.
  private func take(from partition: Int) -> SourceLine<State.Event>.Contents? {
    let (taken, waiters) = lines.withLock { lines in
      let taken = lines.present[partition].take()
      guard taken == nil, !lines.present.contains(where: \.isBusy) else { return (taken, [Latch]()) }
      // What has been reported is over.
      lines.alarm = Self.alarm
      defer { lines.waiters = [] }
      return (taken, lines.waiters)
    }
    for waiter in waiters { waiter.open() }
    return taken
  }

  /// Appends events, or reports that they are not appended.
  private func append(_ events: [State.Event], to partition: Int) async {
    while true {
      do throws(LogError) {
        let position = try await setup.append(events, to: partition)
        return lines.withLock { $0.present[partition].newest = position.offset }
      } catch {
        // Only this error says that nothing was appended, and that a later call may succeed.
        if case .unavailable = error, !isGivenUp {
          await setup.scheduler.pause(for: setup.retry)
          if !isGivenUp { continue }
        }
        return report(UnappendedEvents(events: events, partition: partition, reason: error))
      }
    }
  }

  private var isGivenUp: Bool { lines.withLock { $0.isGivenUp } }

  private func report(_ events: UnappendedEvents<State.Event>) {
    unappended.send(events)
    let isFirst = lines.withLock { lines in
      defer { lines.present[events.partition].isReported = true }
      return !lines.present[events.partition].isReported
    }
    guard isFirst else { return }
    let text = "\(events.events.count) events of sources were not appended: \(events.reason) Others are not written."
    setup.reports.write(text, "unappended", of: unappended)
  }

  // MARK: End

  /// Ends all sources. What they have sent is still appended.
  ///
  /// - Returns: `false` if that was done before.
  @discardableResult
  func close() -> Bool {
    let wasOpen = lines.withLock { lines in
      defer { lines.isOpen = false }
      return lines.isOpen
    }
    sources.finish()
    return wasOpen
  }

  /// Returns when nothing waits.
  func drained() async {
    let latch = Latch()
    let isEmpty = lines.withLock { lines in
      if !lines.present.contains(where: \.isBusy) { return true }
      lines.waiters.append(latch)
      return false
    }
    if !isEmpty { await latch.wait() }
  }

  /// Has what the log does not take be reported at once.
  func giveUp() {
    let tasks = lines.withLock { lines in
      lines.isGivenUp = true
      return lines.present.compactMap(\.task)
    }
    for task in tasks { task.cancel() }
  }

  /// Finishes all subscribers, when nothing waits.
  func finish() {
    Task {
      await drained()
      reports.finish()
      unappended.finish()
    }
  }
}
