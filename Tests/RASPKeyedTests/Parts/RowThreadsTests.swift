import Aggregate
import AggregateTestSupport
import RASPKeyed
import RASPTesting
import Streams
import Synchronization
import TestSupport
import Testing

@Suite("Keyed aggregators and threads")
struct RowThreadsTests {
  private struct Step: Sendable {
    let key: Int
    let sender: Int
    let number: Int
  }

  private struct Steps: AggregateState, Equatable {
    var count = 0
    /// The last number of each sender.
    var last = [0, 0, 0]
    var isInOrder = true

    mutating func apply(_ step: Step) {
      if step.number <= last[step.sender] { isInOrder = false }
      last[step.sender] = step.number
      count += 1
    }
  }

  /// Puts the rows together from what `changes` sends.
  private final class Follower: Sendable {
    let rows = Lock<[Int: Steps]>([:])
    let mistakes = Counter()

    func see(_ change: RowChange<Int, Steps>) {
      rows.withLock { rows in
        switch change {
        case .inserted(let key, let row):
          if rows[key] != nil || row.count != 1 { mistakes.increment() }
          rows[key] = row
        case .updated(let key, let row):
          if rows[key]?.count != row.count - 1 { mistakes.increment() }
          rows[key] = row
        case .removed(let key, let row, _):
          if rows[key] != row { mistakes.increment() }
          rows[key] = nil
        }
      }
    }
  }

  private func storm(shards: Int) async {
    let rowsToStay = 0..<5
    let steps = KeyedAggregator(shards: shards, indexOf: { $0 % shards }, by: \Step.key, initial: { _ in Steps() })
    let follower = Follower()
    let changes = steps.changes.subscribe { follower.see($0) }
    let events = Recorder(steps.events.map(\.key))
    let best = steps.ranked(by: \.count, first: 3).subscribe { rows in
      if zip(rows, rows.dropFirst()).contains(where: { $0.value < $1.value }) { follower.mistakes.increment() }
    }
    let isDone = Atomic<Int>(0)
    await Threads.run(count: 6) { index in
      var random = SplitMix(seed: UInt64(index))
      if index < 3 {
        for number in 1...400 {
          steps.send(Step(key: Int.random(in: 0..<8, using: &random), sender: index, number: number))
          if number % 16 == 0 { steps.remove(Int.random(in: 5..<8, using: &random)) }
        }
        isDone.add(1, ordering: .releasing)
      } else if index < 5 {
        // Comes and goes.
        while isDone.load(ordering: .acquiring) < 3 {
          let watch = Watch()
          let key = Int.random(in: rowsToStay, using: &random)
          let tokens = [
            steps[key].select(\.count).subscribe { watch.see($0 ?? 0) },
            steps.each(\.isInOrder).subscribe { if !$0.value { follower.mistakes.increment() } },
            steps.count { $0.count > 10 }.subscribe { if $0 > 8 { follower.mistakes.increment() } },
          ]
          _ = steps[key].subscriberCount
          for token in tokens { token.cancel() }
          if watch.steppedBack { follower.mistakes.increment() }
        }
      } else {
        let watches = rowsToStay.map { _ in Watch() }
        while isDone.load(ordering: .acquiring) < 3 {
          let rows = steps.rows()
          for key in rowsToStay { watches[key].see(rows[key]?.count ?? 0) }
          for key in rowsToStay { watches[key].see(steps[key].current?.count ?? 0) }
        }
        if watches.contains(where: \.steppedBack) { follower.mistakes.increment() }
      }
    }
    // Another thread may have been asked to deliver what waited.
    steps.finish()
    #expect(await eventually { events.end != nil && rowsToStay.allSatisfy { steps[$0].subscriberCount == 0 } })
    let rows = steps.rows()
    #expect(follower.mistakes.value == 0)
    #expect(follower.rows.withLock { $0 } == rows)
    #expect(events.values.count == 1200, "shards \(shards)")
    for key in rowsToStay { #expect(rows[key]?.count == events.values.count { $0 == key }) }
    #expect(rows.values.allSatisfy { $0.isInOrder })
    changes.cancel()
    best.cancel()
  }

  @Test("KEY-08: who asks a query never gets an answer older than the rows that were read before")
  func answers() async {
    for _ in 0..<rounds(100) {
      let steps = KeyedAggregator(by: \Step.key, initial: { _ in Steps() })
      let grown = steps.count { $0.count > 0 }
      let keys = steps.keys { $0.count > 0 }
      let best = steps.ranked(by: \.count, first: 1000)
      let mistakes = Counter()
      let isDone = Atomic<Bool>(false)
      await Threads.run(count: 4) { index in
        switch index {
        case 0:
          for key in 0..<300 { steps.send(Step(key: key, sender: 0, number: key + 1)) }
          isDone.store(true, ordering: .releasing)
        case 1:
          // Comes and goes, so that answers are kept and given up.
          while !isDone.load(ordering: .acquiring) {
            let tokens = [grown.subscribe { _ in }, keys.subscribe { _ in }, best.subscribe { _ in }]
            for token in tokens { token.cancel() }
          }
        default:
          var last = 0
          while !isDone.load(ordering: .acquiring) {
            let counts = [steps.rowCount, grown.current, keys.current.count, best.current.count]
            for count in counts {
              if count < last { mistakes.increment() }
              last = count
            }
          }
        }
      }
      #expect(mistakes.value == 0)
      // Another thread may have been asked to deliver what waited.
      #expect(await eventually { grown.current == 300 && keys.current == Set(0..<300) })
    }
  }

  @Test(
    "KEY-08: several senders, subscribers that come and go, removals and readers: nothing is lost, and each key keeps its order"
  )
  func storms() async {
    for _ in 0..<rounds(200) {
      await storm(shards: 1)
      await storm(shards: 3)
    }
  }

  @Test("KEY-08: another thread reads the rows while a condition of a view runs")
  func readDuringCondition() async {
    let tallies = KeyedAggregator(by: { (_: Tally.Event) in 0 }, initial: { _ in Tally() })
    tallies.send(.add(1))
    let gate = Gate(patience: longestWait)
    let isArmed = Flag()
    let count = tallies.count { tally in
      if isArmed.isRaised { gate.hold() }
      return tally.count > 1
    }
    let counts = Recorder(count.observable)
    isArmed.raise()
    await Threads.run {
      tallies.send(.add(1))
    } _: {
      gate.waitUntilHeld()
      #expect(tallies[0].current?.count == 1)
      #expect(tallies.rowCount == 1)
      gate.open()
    }
    #expect(counts.values == [0, 1])
  }

  @Test("KEY-08: several threads fold at once in different shards")
  func shardsFoldAtOnce() async {
    let tallies = KeyedAggregator(
      shards: 2,
      indexOf: { $0 },
      by: { (step: Step) in step.key },
      initial: { _ in Steps() }
    )
    let keys = [0, 1]
    let gate = Gate(patience: longestWait)
    let tokens = keys.map { key in tallies[key].select(\.count).subscribe { if $0 == 1 { gate.hold() } } }
    await Threads.run {
      tallies.send(Step(key: keys[0], sender: 0, number: 1))
    } _: {
      tallies.send(Step(key: keys[1], sender: 1, number: 1))
    } _: {
      gate.waitUntilHeld(by: 2)
      #expect(tallies.rowCount == 2)
      gate.open()
    }
    for token in tokens { token.cancel() }
  }
}
