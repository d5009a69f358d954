import Aggregate
import AggregateTestSupport
import RASPTesting
import Streams
import TestSupport
import Testing

@Suite("Hostile sources")
struct HostileSourceTests {
  @Test("S-TERM-01: a source that sends after its end, and ends again, is heard up to its first end")
  func afterTheEnd() {
    let hostile = HostileSource<Int, TestError>()
    let aggregator = Aggregator(initial: Journal(), sources: hostile.observable)
    let failures = Recorder(aggregator.sourceFailures)

    hostile.send(1)
    hostile.end(.failed(TestError()))
    hostile.send(2)
    hostile.end(.finished)
    hostile.end(.failed(TestError()))
    hostile.send(3)
    aggregator.send(4)

    #expect(aggregator.snapshot.entries == [1, 4])
    #expect(failures.values.count == 1)
  }

  @Test("A source that ignores its removal reaches no state any more, and cannot report a failure")
  func afterRemoval() {
    let hostile = HostileSource<Int, TestError>()
    let aggregator = Aggregator(initial: Journal())
    let failures = Recorder(aggregator.sourceFailures)
    let source = aggregator.add(hostile.observable)

    hostile.send(1)
    aggregator.remove(source: source)
    hostile.send(2)
    hostile.end(.failed(TestError()))

    #expect(aggregator.snapshot.entries == [1])
    #expect(failures.values.isEmpty)
  }

  @Test("A source that goes on after finish and release reaches no subscriber")
  func afterRelease() {
    let hostile = HostileSource<Int, TestError>()
    let holder = Box(Aggregator(initial: Journal(), sources: hostile.observable))
    let states = holder.value.map { Recorder($0.states.map(\.entries)) }

    hostile.send(1)
    holder.take()
    hostile.send(2)
    hostile.end(.finished)

    #expect(states?.values == [[], [1]])
    #expect(states?.ends == [.finished])
  }

  @Test("THR-01: a source that sends from two threads at once is serialised, and ends once")
  func fromTwoThreads() async {
    for _ in 0..<rounds(2_000) {
      let hostile = HostileSource<Int, TestError>()
      let aggregator = Aggregator(initial: Tracking(), sources: hostile.observable)
      let failures = Recorder(aggregator.sourceFailures)
      await Threads.run(count: 2) { _ in
        for _ in 0..<20 { hostile.send(1) }
        hostile.end(.failed(TestError()))
        hostile.send(1)
      }
      #expect((20...40).contains(aggregator.snapshot.count))
      #expect(failures.values.count == 1)
    }
  }

  private struct Tracking: AggregateState {
    var count = 0

    mutating func apply(_ event: Int) {
      count += event
    }
  }
}
