import Aggregate
import AggregateTestSupport
import RASPTesting
import Streams
import TestSupport
import Testing

/// Issue 27, "Load", 3.
@Suite("Snapshots and selections at a fixed rate")
struct SampledTests {
  @Test("LOAD-30: a snapshot is sent at once, and then once per period if an event was folded")
  func snapshots() {
    let time = VirtualScheduler()
    let tally = Aggregator(initial: Tally())
    let shown = Recorder(tally.sample(every: .seconds(1), on: time).map(\.count))
    #expect(shown.values == [0])
    tally.send(.add(1))
    tally.send(.add(2))
    time.advance(by: .milliseconds(999))
    #expect(shown.values == [0])
    time.advance(by: .milliseconds(1))
    #expect(shown.values == [0, 3])
    time.advance(by: .seconds(5))
    #expect(shown.values == [0, 3], "nothing was folded")
    tally.send(.add(0))
    time.advance(by: .seconds(1))
    #expect(shown.values == [0, 3, 3], "an event that changes nothing is an event")
    tally.send(.add(4))
    tally.finish()
    #expect(shown.end == nil)
    time.advance(by: .seconds(1))
    #expect(shown.values == [0, 3, 3, 7] && shown.end != nil)
  }

  /// A state that tells how often its collection was copied.
  private struct Board: AggregateState {
    final class Storage: Sendable {}

    var rows = Array(repeating: 0, count: 1_000)
    var copies = 0
    var address: UInt = 0

    mutating func apply(_ value: Int) {
      let before = address
      rows.withUnsafeMutableBufferPointer {
        $0[value % 1_000] = value
        address = UInt(bitPattern: $0.baseAddress)
      }
      if before != 0, address != before { copies += 1 }
    }
  }

  @Test("LOAD-31: a display copies nothing per event: neither a snapshot nor a selection is kept in between")
  func copies() {
    let time = VirtualScheduler()
    let board = Aggregator(initial: Board())
    board.send(1)
    let snapshots = board.sample(every: .seconds(1), on: time).subscribe { _ in }
    let selection = board.select { $0.rows.count }.sample(every: .seconds(1), on: time).subscribe { _ in }
    for round in 0..<10 {
      for value in 0..<100 { board.send(round * 100 + value) }
      time.advance(by: .seconds(1))
    }
    #expect(board.snapshot.copies <= 10, "one per period at most")
    withExtendedLifetime((snapshots, selection)) {}
  }

  @Test("LOAD-32: a sampled selection sends its field now, and then once per period if it has changed")
  func selections() {
    let time = VirtualScheduler()
    let tally = Aggregator(initial: Tally())
    let shown = Recorder(tally.select { $0.count / 10 }.sample(every: .seconds(1), on: time))
    #expect(shown.values == [0])
    for _ in 0..<3 {
      tally.send(.add(5))
      time.advance(by: .seconds(1))
    }
    #expect(shown.values == [0, 1])
    tally.send(.add(100))
    tally.finish()
    time.advance(by: .seconds(1))
    #expect(shown.values == [0, 1, 11] && shown.end != nil)
    let late = Recorder(tally.select { $0.count }.sample(every: .seconds(1), on: time))
    #expect(late.values == [115] && late.end != nil)
  }

  @Test("LOAD-33: a snapshot that is taken while a thread folds belongs to its count, and the last one is not missed")
  func threads() async {
    for _ in 0..<rounds(500) {
      let time = VirtualScheduler()
      let tally = Aggregator(initial: Tally())
      let shown = Log<Int>()
      let ends = Counter()
      let token = tally.sample(every: .seconds(1), on: time).subscribe {
        shown.note($0.count)
      } onEnd: { _ in
        ends.increment()
      }
      await Threads.run(
        {
          for _ in 0..<100 { tally.send(.add(1)) }
          tally.finish()
        },
        { while ends.value == 0 { time.advance(by: .seconds(1)) } }
      )
      #expect(shown.last == 100)
      let entries = shown.entries
      #expect(zip(entries, entries.dropFirst()).allSatisfy { $0 < $1 })
      withExtendedLifetime(token) {}
    }
  }
}
