import Testing

@testable import RASPTesting

/// What timers cost that are scheduled and cancelled again, as debounces and timeouts do, counted and not timed.
@Suite("Cost of a timeline")
struct TimelineCostTests {
  enum Order: CaseIterable {
    case oldestFirst
    case newestFirst
    case shuffled
    case atOnce
  }

  /// Sweeps are the only work that grows with the heap; each one shows as a heap that gets smaller by a cancellation.
  private struct Meter {
    var timeline = Timeline()
    var sweptEntries = 0
    var largestExcess = 0
    var live = 0

    mutating func schedule(at instant: Duration) -> Timeline.Key {
      live += 1
      return timeline.insert({}, at: instant)
    }

    mutating func cancel(_ key: Timeline.Key) {
      let before = timeline.entryCount
      _ = timeline.cancel(key)
      live -= 1
      if timeline.entryCount < before { sweptEntries += before }
      largestExcess = max(largestExcess, timeline.entryCount - 2 * live)
    }
  }

  private static let count = 1 << 17

  @Test(
    "timers that are all cancelled: entries stay below twice the living ones, sweeping is linear",
    arguments: Order.allCases
  )
  func cancel(order: Order) {
    var meter = Meter()
    switch order {
    case .atOnce:
      // One pending at a time, as with a debounce: storage must not grow at all.
      for number in 0..<Self.count {
        meter.cancel(meter.schedule(at: .milliseconds(number)))
        #expect(meter.timeline.entryCount <= 65)
      }
    case .oldestFirst, .newestFirst, .shuffled:
      var keys = (0..<Self.count).map { meter.schedule(at: .milliseconds($0 % 1_000)) }
      if order == .newestFirst { keys.reverse() }
      if order == .shuffled {
        // A fixed permutation, so that every run is the same.
        keys = keys.indices.map { keys[($0 &* 40_503) & (Self.count - 1)] }
      }
      for key in keys { meter.cancel(key) }
    }
    #expect(meter.timeline.isEmpty)
    #expect(meter.largestExcess <= 65)
    #expect(meter.sweptEntries <= 2 * Self.count + 65 * Self.count / 32)
  }

  @Test("cancelled timers before one that is due are passed over once")
  func passOver() {
    var timeline = Timeline()
    var keys: [Timeline.Key] = []
    for number in 0..<1_000 { keys.append(timeline.insert({}, at: .milliseconds(number))) }
    // Not half of them, so that no sweep takes them out first.
    for key in keys.prefix(499) { _ = timeline.cancel(key) }
    #expect(timeline.entryCount == 1_000)
    #expect(timeline.next(until: .milliseconds(498)) == nil)
    #expect(timeline.entryCount == 501)
    #expect(timeline.next(until: .milliseconds(499)) != nil)
    #expect(timeline.entryCount == 500)
  }

  @Test("a sweep keeps order: by instant, then in the order of scheduling")
  func orderAfterSweep() {
    var timeline = Timeline()
    var expected: [(instant: Int, number: Int)] = []
    let keys = (0..<500).map { number in
      timeline.insert({}, at: .seconds((number &* 37) % 23))
    }
    for (number, key) in keys.enumerated() {
      if number % 3 == 0 { expected.append(((number &* 37) % 23, number)) } else { _ = timeline.cancel(key) }
    }
    expected.sort { ($0.instant, $0.number) < ($1.instant, $1.number) }
    var instants: [Duration] = []
    while timeline.next(until: nil) != nil { instants.append(timeline.now) }
    #expect(instants == expected.map { .seconds($0.instant) })
  }
}
