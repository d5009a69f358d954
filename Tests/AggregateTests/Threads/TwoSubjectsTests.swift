import Aggregate
import AggregateTestSupport
import RASPTesting
import Streams
import Synchronization
import TestSupport
import Testing

@Suite("Threads")
struct TwoSubjectsTests {
  private let eventsPerThread = rounds(1_000_000)

  @Test(
    "Must hold: two threads through two subjects into three selections: exact, monotonic, and last is last"
  )
  func twoSubjects() async {
    let first = Subject<Tally.Event, Never>()
    let second = Subject<Tally.Event, Never>()
    let aggregator = Aggregator(initial: Tally(), sources: first.observable, second.observable)
    let watches = (0..<4).map { _ in Watch() }
    let bag = SubscriptionBag()
    defer { bag.cancel() }
    aggregator.select(\.count).subscribe { watches[0].see($0) }.store(in: bag)
    aggregator.select { $0.count / 100 }.subscribe { watches[1].see($0) }.store(in: bag)
    aggregator.select(\.count).select { $0 / 7 }.subscribe { watches[2].see($0) }.store(in: bag)
    aggregator.states.subscribe { watches[3].see($0.count) }.store(in: bag)

    await Threads.run {
      for _ in 0..<eventsPerThread { first.send(.add(1)) }
    } _: {
      for _ in 0..<eventsPerThread { second.send(.add(1)) }
    }

    let total = 2 * eventsPerThread
    #expect(await eventually { watches[3].calls.value >= total + 1 })
    #expect(aggregator.snapshot.count == total)
    #expect(watches.map(\.last) == [total, total / 100, total / 7, total])
    #expect(watches.map(\.calls.value) == [total + 1, total / 100 + 1, total / 7 + 1, total + 1])
    #expect(!watches.contains { $0.steppedBack })
  }

  @Test("A snapshot that another thread reads while events are folded is never torn, and never goes back")
  func snapshotReaders() async {
    let aggregator = Aggregator(initial: Twins())
    let selection = aggregator.select(\.self)
    let done = Flag()
    let torn = Counter()
    let watches = [Watch(), Watch()]

    await Threads.run {
      for _ in 0..<eventsPerThread { aggregator.send(1) }
      done.raise()
    } _: {
      while !done.isRaised {
        let state = aggregator.snapshot
        if !state.agrees { torn.increment() }
        watches[0].see(state.left)
      }
    } _: {
      while !done.isRaised {
        let state = selection.current
        if !state.agrees { torn.increment() }
        watches[1].see(state.left)
      }
    }

    #expect(torn.value == 0)
    #expect(!watches.contains { $0.steppedBack })
    #expect(aggregator.snapshot.left == eventsPerThread)
  }

  /// Its fields agree between any two events, and disagree in the middle of one.
  private struct Twins: AggregateState {
    var left = 0
    var list = [0, 0, 0]
    var right = 0

    var agrees: Bool { left == right && list == [left, left, left] }

    mutating func apply(_ event: Int) {
      left += event
      for index in list.indices { list[index] += event }
      right += event
    }
  }

  @Test("A state that refuses half of the events is exact, too, and its readers see no rolled back change")
  func rejectingState() async {
    let aggregator = Aggregator(initial: Account())
    let done = Flag()
    let negative = Counter()
    let rejected = Counter()
    let token = aggregator.rejections.subscribe { _ in rejected.increment() }
    defer { token.cancel() }

    await Threads.run {
      for _ in 0..<2000 { aggregator.send(-1) }
      done.raise()
    } _: {
      for _ in 0..<1000 { aggregator.send(1) }
    } _: {
      while !done.isRaised {
        if aggregator.snapshot.balance < 0 { negative.increment() }
      }
    }

    #expect(await eventually { aggregator.snapshot.bookings.count + rejected.value >= 3000 })
    #expect(negative.value == 0)
    #expect(aggregator.snapshot.balance == 1000 - (2000 - rejected.value))
    #expect(aggregator.snapshot.bookings.count == 3000 - rejected.value)
  }

  @Test(
    "THR-01: whichever threads send, no two callbacks of one aggregator run at the same time, and none folds"
  )
  func noOverlap() async {
    let aggregator = Aggregator(initial: Tally())
    let inside = Gauge()
    let bag = SubscriptionBag()
    defer { bag.cancel() }
    aggregator.states.subscribe { _ in inside.pass() }.store(in: bag)
    aggregator.select(\.count).subscribe { _ in inside.pass() }.store(in: bag)
    aggregator.select { state -> Int in
      inside.pass()
      return state.count
    }.subscribe { _ in inside.pass() }.store(in: bag)
    aggregator.events.subscribe { _ in inside.pass() }.store(in: bag)

    await Threads.run(count: 3) { index in
      for _ in 0..<2000 {
        if index == 2 {
          aggregator.select(\.count).subscribe { _ in inside.pass() }.cancel()
        } else {
          aggregator.send(.add(1))
        }
      }
    }

    #expect(await eventually { aggregator.snapshot.count == 4_000 && aggregator.pendingCount == 0 })
    #expect(inside.passed > 20_000)
    #expect(inside.overlaps == 0)
  }

  /// Notices when two threads are in it at once.
  private final class Gauge: Sendable {
    private let occupants = Atomic<Int>(0)
    private let total = Counter()
    private let crowded = Counter()

    var passed: Int { total.value }
    var overlaps: Int { crowded.value }

    func pass() {
      if occupants.wrappingAdd(1, ordering: .acquiringAndReleasing).oldValue != 0 { crowded.increment() }
      total.increment()
      occupants.wrappingSubtract(1, ordering: .acquiringAndReleasing)
    }
  }

  @Test("THR-05: while a subscriber holds a lock's worth of time, others send, read, subscribe and cancel")
  func heldDelivery() async {
    let aggregator = Aggregator(initial: Tally())
    let gate = Gate(patience: longestWait)
    let name = aggregator.select(\.name)
    let token = aggregator.events.subscribe { event in
      if event == .nothing { gate.hold() }
    }
    defer { token.cancel() }
    let cancelled = Recorder(aggregator.states)
    let late = Box<Recorder<Tally, Never>>()
    let subject = Subject<Tally.Event, Never>()

    await Threads.run {
      aggregator.send(.nothing)
    } _: {
      gate.waitUntilHeld()
      #expect(aggregator.send(.add(1)))
      #expect(aggregator.snapshot.count == 0)
      #expect(name.current == "")
      cancelled.cancel()
      late.value = Recorder(aggregator.states)
      let source = aggregator.add(subject.observable)
      #expect(subject.send(.add(10)))
      #expect(aggregator.remove(source: source))
      aggregator.replace(sources: subject.observable)
      #expect(subject.send(.add(100)))
      #expect(late.value?.values == [])
      gate.open()
    }

    #expect(cancelled.values == [Tally()])
    #expect(late.value?.values.map(\.count) == [1, 101])
    #expect(aggregator.snapshot.count == 101)
  }
}
