import Aggregate
import RASPTesting
import Streams
import TestSupport
import Testing

@testable import RASPKeyed

@Suite("Eviction")
struct EvictionTests {
  private struct Ping: Sendable {
    let key: Int
  }

  private struct Device: AggregateState, Equatable {
    var pings = 0
    mutating func apply(_ event: Ping) { pings += 1 }
  }

  private func makeDevices(
    _ eviction: RowEviction,
    on scheduler: any Scheduler = .continuous
  ) -> KeyedAggregator<Int, Device> {
    KeyedAggregator(by: \Ping.key, initial: { _ in Device() }, options: KeyedOptions(evicting: eviction, on: scheduler))
  }

  private func removals(of devices: KeyedAggregator<Int, Device>) -> Recorder<Int, Never> {
    Recorder(devices.changes.compactMap { if case .removed(let key, _, .beyondLimit) = $0 { key } else { nil } })
  }

  @Test("KEY-06: beyond a number of rows, the one goes whose last event is the longest ago, exactly")
  func leastRecentlyUsed() {
    for seed in 0..<UInt64(rounds(300)) {
      var random = SplitMix(seed: seed)
      let limit = Int.random(in: 1...100, using: &random)
      let devices = makeDevices(.beyond(limit))
      let removed = removals(of: devices)
      // The oldest first.
      var kept: [Int] = []
      var expected: [Int] = []
      for _ in 0..<1000 {
        let key = Int.random(in: 0..<limit * 2, using: &random)
        kept.removeAll { $0 == key }
        if Int.random(in: 0..<20, using: &random) == 0 {
          devices.remove(key)
          continue
        }
        kept.append(key)
        devices.send(Ping(key: key))
        if kept.count > limit { expected.append(kept.removeFirst()) }
      }
      #expect(removed.values == expected, "seed \(seed)")
      #expect(Set(devices.rows().keys) == Set(kept), "seed \(seed)")
    }
  }

  @Test("KEY-06: the same while subscribers of rows come and go: the oldest of those goes that have none")
  func leastRecentlyUsedOfThoseWithoutSubscribers() {
    for seed in 0..<UInt64(rounds(300)) {
      var random = SplitMix(seed: seed)
      let limit = Int.random(in: 1...60, using: &random)
      let devices = makeDevices(.beyond(limit))
      let removed = removals(of: devices)
      var kept: [Int] = []
      var watched: [Int: Recorder<Int?, Never>] = [:]
      var expected: [Int] = []
      for _ in 0..<1000 {
        let key = Int.random(in: 0..<limit * 2, using: &random)
        switch Int.random(in: 0..<20, using: &random) {
        case 0:
          kept.removeAll { $0 == key }
          devices.remove(key)
        case 1..<7:
          if let recorder = watched.removeValue(forKey: key) {
            recorder.cancel()
          } else {
            watched[key] = Recorder(devices[key].select(\.pings).observable)
          }
        default:
          let isNew = !kept.contains(key)
          kept.removeAll { $0 == key }
          kept.append(key)
          devices.send(Ping(key: key))
          // Rows that have lost their subscribers go with the next newcomer, which stays itself.
          guard isNew else { continue }
          while kept.count > limit, let index = kept.dropLast().firstIndex(where: { watched[$0] == nil }) {
            expected.append(kept.remove(at: index))
          }
        }
      }
      #expect(removed.values == expected, "seed \(seed)")
      #expect(Set(devices.rows().keys) == Set(kept), "seed \(seed)")
    }
  }

  @Test(
    "KEY-06: a row with subscribers of its own stays, unless it was asked for; then they get nil, and the row when it is back"
  )
  func observed() {
    for isIncluded in [false, true] {
      let devices = makeDevices(.beyond(2, includingObserved: isIncluded))
      devices.send(Ping(key: 1))
      let first = Recorder(devices[1].select(\.pings).observable)
      for key in 2...5 { devices.send(Ping(key: key)) }
      #expect(first.values == (isIncluded ? [1, nil] : [1]))
      #expect(Set(devices.rows().keys) == (isIncluded ? [4, 5] : [1, 5]))
      devices.send(Ping(key: 1))
      #expect(first.values == (isIncluded ? [1, nil, 1] : [1, 2]))
      first.cancel()
      for key in 6...7 { devices.send(Ping(key: key)) }
      #expect(Set(devices.rows().keys) == [6, 7])
    }
  }

  @Test("KEY-06: rows that all have subscribers are more than the limit, and go when these have left")
  func allObserved() {
    let devices = makeDevices(.beyond(16))
    var recorders: [Recorder<Int?, Never>] = []
    for key in 0..<200 {
      recorders.append(Recorder(devices[key].select(\.pings).observable))
      devices.send(Ping(key: key))
    }
    #expect(devices.rowCount == 200)
    for recorder in recorders { recorder.cancel() }
    for key in 200..<204 { devices.send(Ping(key: key)) }
    #expect(devices.rowCount == 16)
    #expect(Set(devices.rows().keys) == Set(188..<204))
  }

  @Test("KEY-06: where all other rows have subscribers, the one that has just come stays, and counts")
  func newcomerBesideObserved() {
    let devices = makeDevices(.beyond(2))
    let watched = (0..<20).map { key in
      devices.send(Ping(key: key))
      return Recorder(devices[key].select(\.pings).observable)
    }
    #expect(devices.rowCount >= 20)
    let removed = removals(of: devices)
    for newcomer in 1_000..<1_100 {
      for pings in 1...3 {
        devices.send(Ping(key: newcomer))
        #expect(devices[newcomer].current == Device(pings: pings))
      }
    }
    // The one before goes for each newcomer.
    #expect(removed.values.count + devices.rows().keys.count { $0 >= 1_000 } == 100)
    #expect(devices.rows().keys.count { $0 >= 1_000 } == 1)
    #expect(removed.values.allSatisfy { $0 >= 1_000 })
    withExtendedLifetime(watched) {}
  }

  @Test("KEY-06: no number of rows is beyond the greatest one, and a key that does not equal itself goes like others")
  func oddities() {
    let all = makeDevices(.beyond(.max))
    for key in 0..<100 { all.send(Ping(key: key)) }
    #expect(all.rowCount == 100)

    struct Pulse: Sendable { let key: Double }
    struct Beats: AggregateState {
      var count = 0
      mutating func apply(_ event: Pulse) { count += 1 }
    }
    let beats = KeyedAggregator(by: \Pulse.key, initial: { _ in Beats() }, options: KeyedOptions(evicting: .beyond(50)))
    for number in 0..<1_000 { beats.send(Pulse(key: number % 3 == 0 ? Double(number) : .nan)) }
    #expect(beats.rowCount == 50)
  }

  @Test("KEY-06: an idle row goes when its time is over, and an eighth of it later at the latest")
  func idle() {
    let time = VirtualScheduler()
    let devices = makeDevices(.idle(for: .seconds(80)), on: time)
    let changes = Recorder(devices.changes, on: time)
    var random = SplitMix(seed: 1)
    for _ in 0..<400 {
      time.advance(by: .seconds(Int.random(in: 1...9, using: &random)))
      devices.send(Ping(key: Int.random(in: 0..<40, using: &random)))
    }
    var present: [Int: Duration] = [:]
    var removals = 0
    for record in changes.records {
      guard case .value(let change) = record.event else { continue }
      if case .removed(let key, _, let reason) = change {
        removals += 1
        #expect(reason == .idle)
        let span = record.instant - (present.removeValue(forKey: key) ?? .zero)
        #expect(span >= .seconds(80) && span <= .seconds(90))
      } else {
        present[change.key] = record.instant
      }
    }
    #expect(removals > 10)
    for instant in present.values { #expect(time.now - instant <= .seconds(90)) }
    time.advance(by: .seconds(90))
    #expect(devices.rowCount == 0)
    devices.finish()
    #expect(time.pending.isEmpty)
  }

  /// Time that goes on by a step for each event that is folded, as it does under a backlog.
  private func foldSlowly(
    _ devices: KeyedAggregator<Int, Device>,
    on time: VirtualScheduler,
    step: Duration,
    then: @escaping @Sendable (_ count: Int) -> Void
  ) -> Subscription {
    let count = Counter()
    return devices.events.subscribe { _ in
      time.advance(by: step)
      then(count.increment())
    }
  }

  @Test("KEY-06: a row that was folded a moment ago is not idle, however long a backlog has taken")
  func idleUnderBacklog() {
    let time = VirtualScheduler()
    let devices = makeDevices(.idle(for: .seconds(8)), on: time)
    let changes = Recorder(devices.changes.filter { if case .removed = $0 { true } else { false } }, on: time)
    let pending = Box(0)
    let token = foldSlowly(devices, on: time, step: .milliseconds(500)) { count in
      if count == 1 { for key in 1..<200 { devices.send(Ping(key: key % 100)) } }
      // A look for idle rows that waits is there once.
      pending.value = max(pending.value ?? 0, count + devices.pendingCount)
    }
    devices.send(Ping(key: 0))
    #expect(time.now == .seconds(100))
    #expect(devices.rowCount == 100)
    #expect(devices.rows().values.allSatisfy { $0.pings == 2 })
    #expect(changes.values.isEmpty)
    #expect(pending.value == 201)
    token.cancel()
    time.advance(by: .seconds(20))
    #expect(devices.rowCount == 0)
    for record in changes.records { #expect(record.instant >= .seconds(108) && record.instant <= .seconds(110)) }
  }

  @Test("KEY-06: rows whose events wait behind a stall that is longer than the rule are not idle")
  func idleBehindStall() {
    let time = VirtualScheduler()
    let devices = makeDevices(.idle(for: .seconds(8)), on: time)
    let removed = Recorder(devices.changes.compactMap { if case .removed(let key, _, _) = $0 { key } else { nil } })
    for key in 0..<10 { devices.send(Ping(key: key)) }
    time.advance(by: .milliseconds(5_500))
    let stalls = devices[0].select(\.pings).subscribe { pings in
      guard pings == 2 else { return }
      // A look comes first into the line, then all rows have events, and after that the disk stands still.
      time.advance(by: .seconds(1))
      for key in 1..<9 { devices.send(Ping(key: key)) }
      time.advance(by: .seconds(100))
    }
    devices.send(Ping(key: 0))
    #expect(removed.values.isEmpty)
    stalls.cancel()
    // The ninth had no event all the time: the next look behind the stall finds that.
    time.advance(by: .seconds(1))
    #expect(removed.values == [9])
    time.advance(by: .seconds(10))
    #expect(devices.rowCount == 0)
  }

  @Test("KEY-06: idle rows beside events that take random times: none goes too early, and all go in the end")
  func idleAtRandom() {
    for seed in 0..<UInt64(rounds(2_000)) {
      var random = SplitMix(seed: seed)
      let time = VirtualScheduler()
      let devices = makeDevices(.idle(for: .seconds(80)), on: time)
      let folded = Box<[Int: Duration]>([:])
      let steps = Lock(SplitMix(seed: seed &+ 1_000_000))
      let tooEarly = Counter()
      let removals = Counter()
      let tokens = [
        devices.events.subscribe { ping in
          folded.value?[ping.key] = time.now
          let (number, key) = steps.withLock { random in
            (Int.random(in: 0..<200, using: &random), Int.random(in: 0..<10, using: &random))
          }
          // One event of ten stalls, and sends another one meanwhile.
          guard number < 20 else { return }
          time.advance(by: .seconds(number * 5))
          devices.send(Ping(key: key))
          time.advance(by: .seconds(number * 5))
        },
        devices.changes.subscribe { change in
          guard case .removed(let key, _, .idle) = change else { return }
          removals.increment()
          if time.now - (folded.value?[key] ?? .zero) < .seconds(80) { tooEarly.increment() }
        },
      ]
      for _ in 0..<60 {
        time.advance(by: .seconds(Int.random(in: 0..<20, using: &random)))
        devices.send(Ping(key: Int.random(in: 0..<10, using: &random)))
      }
      #expect(tooEarly.value == 0, "seed \(seed)")
      time.advance(by: .seconds(100))
      #expect(devices.rowCount == 0 && removals.value > 0, "seed \(seed)")
      #expect(devices.pendingCount == 0, "seed \(seed)")
      devices.finish()
      for token in tokens { token.cancel() }
    }
  }

  @Test("KEY-06: a row that has gone is made anew by its next event")
  func returning() {
    let time = VirtualScheduler()
    let devices = makeDevices(.idle(for: .seconds(8)), on: time)
    for _ in 0..<3 { devices.send(Ping(key: 1)) }
    let watched = Recorder(devices[2].select(\.pings).observable)
    devices.send(Ping(key: 2))
    time.advance(by: .seconds(20))
    #expect(devices[1].current == nil)
    #expect(devices[2].current == Device(pings: 1))
    devices.send(Ping(key: 1))
    #expect(devices[1].current == Device(pings: 1))
    #expect(watched.values == [nil, 1])
  }

  @Test("KEY-06: what is kept of a row goes with its state and its last subscriber, in this or the other order")
  func withoutState() {
    let devices = makeDevices(.never)
    var kept: Int { devices.core.shards[0].store.rows.count }
    for key in 0..<50 {
      let recorder = Recorder(devices[key].select(\.pings).observable)
      if key % 2 == 0 { devices.send(Ping(key: key)) }
      if key % 4 == 0 { devices.remove(key) }
      #expect(devices[key].subscriberCount == 1)
      recorder.cancel()
      #expect(devices[key].subscriberCount == 0)
      devices.remove(key)
    }
    #expect(devices.rowCount == 0)
    devices.send(Ping(key: 1000))
    #expect(kept == 1)
    devices.remove(1000)
    #expect(kept == 0)
  }
}
