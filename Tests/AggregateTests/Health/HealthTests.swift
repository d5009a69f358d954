import Aggregate
import AggregateTestSupport
import RASPTesting
import Streams
import TestSupport
import Testing

/// What a dashboard shows of a source.
private struct Line: Equatable {
  var status: String
  var since: Int?
  var attempts: Int
  var outages: Int

  init(_ status: String, since: Int?, attempts: Int, outages: Int) {
    self.status = status
    self.since = since
    self.attempts = attempts
    self.outages = outages
  }

  init(_ health: SourceHealth) {
    let status =
      switch health.status {
      case .connected: "connected"
      case .retrying: "retrying"
      case .ended: "ended"
      case .failed: "failed"
      case .removed: "removed"
      }
    self.init(
      status,
      since: health.connectedSince.map { Int($0.components.seconds) },
      attempts: health.attempts,
      outages: health.outages
    )
  }
}

@Suite("Health of named sources")
struct HealthTests {
  private let time = VirtualScheduler()

  /// A source that can be up and down: while it is down, each subscriber gets a failure.
  private final class Receiver: Sendable {
    let values = Subject<Int, TestError>()
    let isUp = Lock(true)
    private let current = Lock<Subject<Int, TestError>?>(nil)

    var stream: Observable<Int, TestError> {
      .deferred { [self] in
        guard isUp.withLock({ $0 }) else { return .fail(TestError()) }
        let subject = Subject<Int, TestError>()
        current.withLock { $0 = subject }
        return subject.observable
      }
    }

    func send(_ value: Int) { current.withLock { $0 }?.send(value) }

    func goDown() {
      isUp.withLock { $0 = false }
      current.withLock { $0 }?.fail(TestError())
    }

    func comeBack() { isUp.withLock { $0 = true } }
  }

  @Test("AGG-35: a source that is down for an hour, twice, is connected again after each")
  func anHour() throws {
    let receiver = Receiver()
    let aggregator = Aggregator(initial: Journal())
    let retries = aggregator.health.retries(of: "gps")
    aggregator.add(receiver.stream.retry(.constant(.seconds(60)), on: time, onEvent: retries), as: "gps", on: time)
    let changes = Recorder(aggregator.health.changes.map { Line($0) })

    receiver.send(1)
    for outage in 1...2 {
      time.advance(by: .seconds(10))
      receiver.goDown()
      #expect(aggregator.health["gps"].map { Line($0).status } == "retrying")
      #expect(aggregator.health["gps"]?.connectedSince == nil)
      time.advance(by: .seconds(3600))
      receiver.comeBack()
      time.advance(by: .seconds(60))
      // It is subscribed to, but it has sent nothing.
      #expect(aggregator.health["gps"].map { Line($0).status } == "retrying")
      receiver.send(outage + 1)
      #expect(aggregator.health["gps"].map { Line($0).status } == "connected")
    }

    let health = try #require(aggregator.health["gps"])
    #expect(Line(health) == Line("connected", since: 7340, attempts: 123, outages: 2))
    #expect(health.lastEvent == .seconds(7340))
    #expect(health.eventCount == 3)
    #expect(aggregator.snapshot.entries == [1, 2, 3])
    // One change for each attempt, two for each outage, and the first.
    #expect(changes.values.count == 122 + 4 + 1)
    #expect(changes.values.first == Line("connected", since: 0, attempts: 1, outages: 0))
    #expect(changes.values.last == Line("connected", since: 7340, attempts: 123, outages: 2))
  }

  @Test("two retries in one source add up, and one outage that both see is one")
  func twoRetries() throws {
    let receiver = Receiver()
    let aggregator = Aggregator(initial: Journal())
    aggregator.add(
      receiver.stream
        .retry(.constant(.seconds(1)), limit: 2, on: time, onEvent: aggregator.health.retries(of: "gps"))
        .retry(.constant(.seconds(100)), on: time, onEvent: aggregator.health.retries(of: "gps")),
      as: "gps",
      on: time
    )
    receiver.goDown()
    // Tries of the inner one at 1 and 2, of the outer one at 102, and of the inner one of that at 103 and 104.
    time.advance(to: .seconds(110))
    #expect(aggregator.health["gps"].map { Line($0) } == Line("retrying", since: nil, attempts: 6, outages: 1))
    receiver.comeBack()
    time.advance(to: .seconds(204))
    receiver.send(7)
    #expect(aggregator.health["gps"].map { Line($0) } == Line("connected", since: 204, attempts: 7, outages: 1))
  }

  @Test("AGG-35: a source that fails for good stays in the list, and the report of its failure has its name")
  func failed() {
    let (subject, other) = (Subject<Int, TestError>(), Subject<Int, TestError>())
    let aggregator = Aggregator(initial: Journal(), sources: other.observable)
    let added = aggregator.add(subject.observable, as: "gps", on: time)
    let failures = Recorder(aggregator.sourceFailures)
    time.advance(by: .seconds(5))
    subject.fail(TestError())
    other.fail(TestError())

    #expect(failures.values.map(\.name) == ["gps", nil])
    #expect(aggregator.health.sources.map { Line($0) } == [Line("failed", since: nil, attempts: 1, outages: 1)])
    #expect(failures.values[0].source == added)
    #expect(aggregator.health.sources.map(\.source) == [added])
  }

  @Test("AGG-35: a source that finishes has ended, and its name is free again")
  func ended() {
    let aggregator = Aggregator(initial: Journal())
    let changes = Recorder(aggregator.health.changes.map { Line($0).status })
    aggregator.add(Observable([1, 2]), as: "file", on: time)
    #expect(aggregator.health["file"].map { Line($0).status } == "ended")
    #expect(aggregator.health["file"]?.eventCount == 2)
    let next = Subject<Int, Never>()
    aggregator.add(next.observable, as: "file", on: time)
    #expect(aggregator.health.sources.map { Line($0).status } == ["connected"])
    next.finish()
    #expect(changes.values == ["connected", "ended", "connected", "ended"])
  }

  @Test("AGG-35: a removed or replaced source is reported once and forgotten")
  func removed() {
    let (first, second) = (Subject<Int, Never>(), Subject<Int, Never>())
    let aggregator = Aggregator(initial: Journal())
    let changes = Recorder(aggregator.health.changes.map { "\($0.name) \(Line($0).status)" })
    let id = aggregator.add(first.observable, as: "a", on: time)
    aggregator.add(second.observable, as: "b", on: time)
    #expect(aggregator.remove(source: id))
    #expect(aggregator.health["a"] == nil)
    #expect(aggregator.health.sources.map(\.name) == ["b"])
    aggregator.replace(sources: first.monitored(by: aggregator.health, as: "b", on: time))
    #expect(aggregator.health.sources.map(\.name) == ["b"])
    first.send(1)
    second.send(2)
    #expect(aggregator.health["b"]?.eventCount == 1)
    aggregator.finish()
    #expect(aggregator.health.sources.isEmpty)
    #expect(
      changes.values == [
        "a connected", "b connected", "a removed", "b removed", "b connected", "b removed",
      ]
    )
    #expect(changes.ends == [.finished])
  }

  @Test("AGG-36: two sources that run may not share a name: the second is folded and not watched")
  func repeatedName() {
    let (first, second) = (Subject<Int, Never>(), Subject<Int, Never>())
    let aggregator = Aggregator(initial: Journal())
    let diagnostics = Recorder(aggregator.diagnostics)
    aggregator.add(first.observable, as: "gps", on: time)
    aggregator.add(second.observable, as: "gps", on: time)
    second.send(1)
    #expect(aggregator.snapshot.entries == [1])
    #expect(aggregator.health.sources.map(\.eventCount) == [0])
    #if DEBUG
      #expect(diagnostics.values == [.repeatedSourceName("gps")])
    #else
      #expect(diagnostics.values.isEmpty)
    #endif
  }

  @Test("the parts of a merged source may have names of their own")
  func parts() {
    let (left, right) = (Subject<Int, Never>(), Subject<Int, Never>())
    let aggregator = Aggregator(initial: Journal())
    aggregator.add(
      left.monitored(by: aggregator.health, as: "left", on: time)
        .merge(with: right.monitored(by: aggregator.health, as: "right", on: time))
    )
    left.send(1)
    #expect(aggregator.health.sources.map(\.name) == ["left", "right"])
    #expect(aggregator.health.sources.map(\.eventCount) == [1, 0])
  }

  @Test("health is read and changes from several threads, and the last change is the newest")
  func threads() async {
    let subjects = (0..<4).map { _ in Subject<Int, Never>() }
    let aggregator = Aggregator(initial: Journal())
    let changes = Recorder(aggregator.health.changes)
    for (index, subject) in subjects.enumerated() { aggregator.add(subject.observable, as: "\(index)") }
    await withTaskGroup(of: Void.self) { group in
      for subject in subjects {
        group.addTask {
          for value in 0..<500 {
            subject.send(value)
            _ = aggregator.health.sources
          }
          subject.finish()
        }
      }
    }
    #expect(aggregator.health.sources.map(\.eventCount) == [500, 500, 500, 500])
    for name in ["0", "1", "2", "3"] {
      #expect(changes.values.last { $0.name == name }.map { Line($0).status } == "ended")
    }
  }

  @Test("a named source is released with its aggregator")
  func released() {
    let subject = Subject<Int, TestError>()
    weak var probe: Probe?
    do {
      let captured = Probe()
      probe = captured
      let aggregator = Aggregator(initial: Journal())
      let source = subject.map { [captured] value in
        _ = captured
        return value
      }
      let retries = aggregator.health.retries(of: "gps")
      aggregator.add(source.retry(.none, on: time, onEvent: retries), as: "gps", on: time)
      _ = aggregator.health.sources
    }
    #expect(probe == nil)
    #expect(subject.observerCount == 0)
  }

  @Test("AGG-35: a board of its own watches streams that belong to no aggregator, and its changes end with it")
  func ownBoard() {
    var board: HealthBoard? = HealthBoard()
    let changes = Recorder(board!.changes.map { "\($0.name) \(Line($0).status)" })
    let (subject, second) = (Subject<Int, TestError>(), Subject<Int, TestError>())
    let token = subject.monitored(by: board!, as: "gps", on: time).subscribe { _ in }
    let values = Recorder(second.monitored(by: board!, as: "gps", on: time))
    subject.send(1)
    second.send(2)
    #expect(values.values == [2])
    #expect(board?["gps"]?.eventCount == 1)
    #expect(board?["gps"]?.source == nil)
    token.cancel()
    #expect(board?["gps"] == nil)
    second.fail(TestError())
    board?.retries(of: "gps")(.trying(1))
    #expect(changes.values == ["gps connected", "gps removed"])
    board = nil
    #expect(changes.ends == [.finished])
  }

  @Test("a failure of the one who had the name before is not told behind the health of its successor")
  func successors() async {
    let board = HealthBoard()
    for _ in 0..<rounds(20_000) {
      let (first, second) = (Subject<Int, Never>(), Subject<Int, Never>())
      let changes = Recorder(board.changes.map { Line($0).status })
      let token = first.monitored(by: board, as: "a").subscribe { _ in }
      let next = Box<Subscription>()
      await Threads.run(
        { first.finish() },
        {
          while board["a"]?.isConnected == true {}
          next.value = second.monitored(by: board, as: "a").subscribe { _ in }
        }
      )
      #expect(changes.values.last == "connected")
      next.value?.cancel()
      token.cancel()
      #expect(changes.values.last == "removed")
    }
  }

  private final class Probe: Sendable {}
}
