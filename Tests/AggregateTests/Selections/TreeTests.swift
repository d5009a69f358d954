import Aggregate
import AggregateTestSupport
import RASPTesting
import Streams
import TestSupport
import Testing

/// A debug build evaluates a closure twice when it is first subscribed to, so evaluations are counted from then on.
@Suite("The tree of selections")
struct TreeTests {
  @Test("A shared selector is evaluated once per event, however many consumers it has")
  func evaluatedOnce() {
    let evaluations = Counter()
    let aggregator = Aggregator(initial: Tally())
    let selector = StateSelector { (state: Tally) -> Int in
      evaluations.increment()
      return state.count
    }
    let recorders = (0..<10).map { _ in Recorder(aggregator.select(selector).observable) }
    let before = evaluations.value

    for _ in 0..<5 { aggregator.send(.add(1)) }

    #expect(evaluations.value - before == 5)
    for recorder in recorders { #expect(recorder.values == [0, 1, 2, 3, 4, 5]) }
  }

  @Test("So is one selection value with many subscribers, and what lies below it")
  func sharedSelectionValue() {
    let evaluations = Counter()
    let aggregator = Aggregator(initial: Tally())
    let even = aggregator.select(\.count).select { count -> Bool in
      evaluations.increment()
      return count.isMultiple(of: 2)
    }
    let recorders = (0..<4).map { _ in Recorder(even.observable) }
    let before = evaluations.value

    for amount in [1, 2, 1] { aggregator.send(.add(amount)) }

    #expect(evaluations.value - before == 3)
    for recorder in recorders { #expect(recorder.values == [true, false, true]) }
  }

  @Test("Equal key paths are one selection, wherever they were written")
  func equalKeyPaths() {
    let reads = Counter()
    let aggregator = Aggregator(initial: Counted(reads: reads))
    let recorders = (0..<3).map { _ in Recorder(aggregator.select(\.value).observable) }
    let selector = Recorder(aggregator.select(StateSelector(\.value)).observable)
    let before = reads.value

    aggregator.send(1)

    #expect(reads.value - before == 1)
    for recorder in recorders + [selector] { #expect(recorder.values == [0, 1]) }
  }

  /// Its computed property notes that it was read.
  private struct Counted: AggregateState {
    let reads: Counter
    var stored = 0

    var value: Int {
      reads.increment()
      return stored
    }

    mutating func apply(_ event: Int) {
      stored = event
    }
  }

  @Test("Children of a field that did not change are not evaluated at all")
  func unchangedParent() {
    let evaluations = Counter()
    let aggregator = Aggregator(initial: Tally())
    let length = Recorder(
      aggregator.select(\.name).select { name -> Int in
        evaluations.increment()
        return name.count
      }.observable
    )
    let before = evaluations.value

    for _ in 0..<10 { aggregator.send(.add(1)) }
    #expect(evaluations.value == before)

    aggregator.send(.rename("ab"))
    aggregator.send(.rename("cd"))
    #expect(evaluations.value == before + 2)
    #expect(length.values == [0, 2])
  }

  @Test("Nothing is evaluated that has no subscriber, nor after the last one has gone")
  func unsubscribed() {
    let evaluations = Counter()
    let aggregator = Aggregator(initial: Tally())
    let selection = aggregator.select { state -> Int in
      evaluations.increment()
      return state.count
    }
    aggregator.send(.add(1))
    #expect(evaluations.value == 0)

    let one = Recorder(selection.observable)
    let two = Recorder(selection.observable)
    one.cancel()
    var before = evaluations.value
    aggregator.send(.add(1))
    #expect(evaluations.value == before + 1)

    two.cancel()
    before = evaluations.value
    aggregator.send(.add(1))
    #expect(evaluations.value == before)
    #expect(two.values == [1, 2])
  }

  @Test("A node leaves the tree with its last subscriber or child, and so do the nodes above it")
  func nodesLeave() {
    let tracker = LifetimeTracker()
    let aggregator = Aggregator(initial: Tally())
    let outer = Box<Subscription>()
    let inner = Box<Subscription>()
    do {
      let parent = aggregator.select { [object = tracker.make()] state in (object, state.name).1 }
      let child = parent.select { [object = tracker.make()] name in (object, name.count).1 }
      outer.value = parent.subscribe { _ in }
      inner.value = child.subscribe { _ in }
    }
    #expect(tracker.liveCount == 2)

    outer.take()
    aggregator.send(.rename("a"))
    #expect(tracker.liveCount == 2, "The child still needs its parent.")

    inner.take()
    #expect(tracker.liveCount == 0)
  }

  @Test("The other way round: a parent stays when its child goes")
  func childLeaves() {
    let evaluations = Counter()
    let aggregator = Aggregator(initial: Tally())
    let parent = Recorder(aggregator.select(\.name).observable)
    let child = Recorder(
      aggregator.select(\.name).select { name -> Int in
        evaluations.increment()
        return name.count
      }.observable
    )
    let before = evaluations.value
    child.cancel()

    aggregator.send(.rename("ab"))

    #expect(parent.values == ["", "ab"])
    #expect(child.values == [0])
    #expect(evaluations.value == before)
  }

  @Test("Nodes that leave in any order leave the others as they are")
  func manyNodes() {
    let aggregator = Aggregator(initial: Tally())
    let recorders = (0..<20).map { offset in Recorder(aggregator.select { $0.count + offset }.observable) }
    for index in [0, 19, 7, 8, 1, 13] { recorders[index].cancel() }

    aggregator.send(.add(1))

    for (offset, recorder) in recorders.enumerated() {
      let cancelled = [0, 19, 7, 8, 1, 13].contains(offset)
      #expect(recorder.values == (cancelled ? [offset] : [offset, offset + 1]))
    }
  }

  @Test("A diamond is consistent: whatever is read in a round belongs to one snapshot")
  func diamond() {
    let aggregator = Aggregator(initial: Tally())
    let count = aggregator.select(\.count)
    let double = count.select { $0 * 2 }
    let square = count.select { $0 * $0 }
    let torn = Log<[Int]>()
    let check: @Sendable () -> Void = {
      let seen = [aggregator.snapshot.count, count.current, double.current / 2, square.current]
      if seen != [seen[0], seen[0], seen[0], seen[0] * seen[0]] { torn.note(seen) }
    }
    let recorders = [double, count, square].map { Recorder($0.observable) { _ in check() } }
    let token = aggregator.events.subscribe { event in
      check()
      if case .add(1) = event { aggregator.send(.add(2)) }
    }
    defer { token.cancel() }

    for _ in 0..<3 { aggregator.send(.add(1)) }

    #expect(torn.entries.isEmpty)
    #expect(recorders[0].values == [0, 2, 6, 8, 12, 14, 18])
    #expect(recorders[2].values == [0, 1, 9, 16, 36, 49, 81])
  }

  @Test("`select` on a selection goes on below it, and the state itself can be selected")
  func deep() {
    let aggregator = Aggregator(initial: Kinds())
    let state = Recorder(aggregator.select(\.self).observable)
    let title = aggregator.select(\.self).select(\.inner).select(\.title)
    let letters = Recorder(title.select(\.count).observable)
    let first = Recorder(title.select(\.first).observable)

    aggregator.edit { $0.inner.title = "ab" }
    aggregator.edit { $0.inner.size = 1 }
    aggregator.edit { $0.inner.title = "ac" }

    #expect(letters.values == [0, 2])
    #expect(first.values == [nil, "a"])
    #expect(title.current == "ac")
    #expect(state.values.count == 4)
  }

  @Test("A child compares for itself: with a parent delivered at every event it speaks when it changes")
  func belowIncomparable() {
    let aggregator = Aggregator(initial: Kinds())
    let number = Recorder(aggregator.select(\.opaque).select(\.number).observable)

    aggregator.touch()
    aggregator.edit { $0.opaque.number = 1 }
    aggregator.touch()

    #expect(number.values == [0, 1])
  }
}
