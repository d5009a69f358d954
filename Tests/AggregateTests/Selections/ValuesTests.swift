import Aggregate
import AggregateTestSupport
import RASPTesting
import Streams
import TestSupport
import Testing

@Suite("The values of a selection", .endsInTime)
struct ValuesTests {
  @Test("A reader that is late gets the newest value, never a backlog, and never goes back")
  func newest() async {
    let aggregator = Aggregator(initial: Tally())
    var values = aggregator.select(\.count).values.makeAsyncIterator()
    let initial = await values.next()
    #expect(initial == 0)

    for _ in 0..<100 { aggregator.send(.add(1)) }
    let newest = await values.next()
    #expect(newest == 100)

    aggregator.send(.add(1))
    let next = await values.next()
    #expect(next == 101)
  }

  @Test("BR-07: the subscription is made with the iterator, so what comes before the first next is not lost")
  func subscribesWithIterator() async {
    let aggregator = Aggregator(initial: Tally())
    let selection = aggregator.select(\.count)
    let values = selection.values
    aggregator.send(.add(1))
    var iterator = values.makeAsyncIterator()
    aggregator.send(.add(1))
    aggregator.finish()

    let first = await iterator.next()
    let second = await iterator.next()
    #expect(first == 2)
    #expect(second == nil)
  }

  @Test("BR-10: from A to B and back to A while the reader is away is silent")
  func thereAndBack() async {
    let aggregator = Aggregator(initial: Tally())
    var values = aggregator.select(\.name).values.makeAsyncIterator()
    let initial = await values.next()

    aggregator.send(.rename("b"))
    aggregator.send(.rename(""))
    aggregator.finish()
    let next = await values.next()

    #expect(initial == "")
    #expect(next == nil)
  }

  @Test("BR-10: a field that cannot be compared wakes the reader, there and back or not")
  func incomparable() async {
    let aggregator = Aggregator(initial: Kinds())
    var values = aggregator.select(\.opaque).values.makeAsyncIterator()
    let initial = await values.next()

    aggregator.touch()
    aggregator.finish()
    let next = await values.next()

    #expect(initial != nil)
    #expect(next != nil)
  }

  @Test("SEL-06: the reader, too, compares in its own way, and with what it saw last")
  func ownComparison() async {
    let aggregator = Aggregator(initial: Tally())
    var values = aggregator.select(\.count, by: { abs($0 - $1) < 10 }).values.makeAsyncIterator()
    let initial = await values.next()

    for _ in 0..<25 { aggregator.send(.add(1)) }
    let late = await values.next()
    for _ in 0..<25 { aggregator.send(.add(-1)) }
    aggregator.finish()
    let last = await values.next()
    let end = await values.next()

    #expect([initial, late, last] == [0, 20, 0])
    #expect(end == nil)
  }

  @Test("A loop ends when the aggregator is released, with the last value")
  func endsWithTheAggregator() async {
    let holder = Box(Aggregator(initial: Tally()))
    let started = Latch()
    guard let values = holder.value?.select(\.count).values else { return }
    let reader = Task {
      var seen: [Int] = []
      for await count in values {
        seen.append(count)
        started.open()
      }
      return seen
    }
    await started.wait()

    holder.value?.send(.add(1))
    holder.take()

    let seen = await reader.value
    #expect(seen == [0, 1])
  }

  @Test("A loop that begins after the end gets the last value and ends")
  func afterTheEnd() async {
    let aggregator = Aggregator(initial: Tally())
    let values = aggregator.select(\.count).values
    aggregator.send(.add(3))
    aggregator.finish()

    var seen: [Int] = []
    for await count in values { seen.append(count) }

    #expect(seen == [3])
  }

  @Test("BR-03: cancelling the task ends the loop and the subscription")
  func cancellation() async {
    let tracker = LifetimeTracker()
    let aggregator = Aggregator(initial: Tally())
    let started = Latch()
    let selection = aggregator.select { [object = tracker.make()] state in (object, state.count).1 }
    let evaluations = Counter()
    let values = selection.select { count -> Int in
      evaluations.increment()
      return count
    }.values
    let reader = Task {
      for await _ in values { started.open() }
      return Task.isCancelled
    }
    await started.wait()

    reader.cancel()
    let wasCancelled = await reader.value
    #expect(wasCancelled)

    let before = evaluations.value
    aggregator.send(.add(1))
    #expect(evaluations.value == before)
  }

  @Test("BR-14: leaving the loop ends the subscription")
  func leavingTheLoop() async {
    let aggregator = Aggregator(initial: Tally())
    let evaluations = Counter()
    let selection = aggregator.select { state -> Int in
      evaluations.increment()
      return state.count
    }

    for await _ in selection.values { break }

    let before = evaluations.value
    aggregator.send(.add(1))
    #expect(evaluations.value == before)
  }

  @Test("BR-15: two iterators of one sequence are two readers, each with the newest")
  func twoReaders() async {
    let aggregator = Aggregator(initial: Tally())
    let values = aggregator.select(\.count).values
    var one = values.makeAsyncIterator()
    var two = values.makeAsyncIterator()
    _ = await one.next()

    aggregator.send(.add(1))
    let first = await one.next()
    aggregator.send(.add(1))
    let second = await one.next()
    let third = await two.next()

    #expect([first, second, third] == [1, 2, 2])
  }

  @Test("A reader on the main actor stays there, and can be used without ceremony")
  @MainActor
  func mainActor() async {
    let aggregator = Aggregator(initial: Tally())
    var shown: [Int] = []
    aggregator.send(.add(1))
    for await count in aggregator.select(\.count).values {
      MainActor.assertIsolated()
      shown.append(count)
      if count == 3 { aggregator.finish() } else { aggregator.send(.add(1)) }
    }

    #expect(shown == [1, 2, 3])
  }

  @Test("BR-12: a reader beside a sender on another thread sees values that grow, up to the last one")
  func besideSender() async {
    let aggregator = Aggregator(initial: Tally())
    let values = aggregator.select(\.count).values
    let started = Latch()
    let reader = Task {
      let watch = Watch()
      for await count in values {
        watch.see(count)
        started.open()
      }
      return watch
    }
    await started.wait()

    for _ in 0..<50_000 { aggregator.send(.add(1)) }
    aggregator.finish()
    let watch = await reader.value

    #expect(watch.last == 50_000)
    #expect(!watch.steppedBack)
    // Rule 9: the loss is never silent. Each value differs from the one before, so each was seen or skipped.
    #expect(watch.calls.value + values.droppedCount == 50_001)
  }
}
